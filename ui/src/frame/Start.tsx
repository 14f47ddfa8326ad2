import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Navigate } from 'react-router';
import { EmptyNote } from '../pieces/EmptyNote';
import { remembered } from '../pieces/memory';
import { ProblemNote } from '../pieces/ProblemNote';
import { NAMESPACES, namespaces } from '../session/session';
import { NS_MEMORY, to } from './ns';
import { Waiting } from './Waiting';

/** Leads to the namespace of the last visit, else to `default`, else to the first that there is. */
export function Start() {
  const { t } = useTranslation();
  const all = useQuery({ queryKey: NAMESPACES, queryFn: namespaces, staleTime: 60_000 });
  if (all.error) {
    return <Waiting><ProblemNote thrown={all.error} again={() => void all.refetch()} /></Waiting>;
  }
  if (!all.data) {
    return <Waiting />;
  }
  const names = all.data.items.map((each) => each.name);
  const chosen = [remembered(NS_MEMORY), 'default'].find((name) => name !== undefined && names.includes(name)) ?? names[0];
  return chosen === undefined
    ? <Waiting><EmptyNote title={t('frame.noNamespaceTitle')} text={t('frame.noNamespaceText')} /></Waiting>
    : <Navigate to={to.jobs(chosen)} replace />;
}
