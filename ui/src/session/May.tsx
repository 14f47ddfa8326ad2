import { Tooltip } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { type Role, ROLES } from '../api/shapes';
import { useNs } from '../frame/ns';
import { NAMESPACES, namespaces, useMe } from './session';

export function includes(mine: Role, needed: Role): boolean {
  return ROLES.indexOf(mine) >= ROLES.indexOf(needed);
}

export function useRole(): Role {
  const me = useMe();
  const ns = useNs();
  const all = useQuery({ queryKey: NAMESPACES, queryFn: namespaces, staleTime: 60_000 });
  return all.data?.items.find((each) => each.name === ns)?.role ?? me.role ?? 'viewer';
}

/** Disables actions that the role does not allow, with the reason; the server checks every request in any case. */
export function May({ role, children }: { role: Role; children: (may: boolean) => ReactNode }) {
  const { t } = useTranslation();
  const mine = useRole();
  if (includes(mine, role)) {
    return children(true);
  }
  return (
    <Tooltip label={t('common.needs', { role: t(`role.${role}`), mine: t(`role.${mine}`) })} events={{ hover: true, focus: true, touch: true }}>
      <span tabIndex={0} style={{ display: 'inline-flex' }}>{children(false)}</span>
    </Tooltip>
  );
}
