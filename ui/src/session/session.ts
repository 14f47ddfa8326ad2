import { createContext, useContext } from 'react';
import { API, ask, askAll, LOGIN } from '../api/http';
import type { Me, Namespace } from '../api/shapes';

export const ME = ['me'] as const;
export const NAMESPACES = ['namespaces'] as const;

export const whoAmI = () => ask<Me>(`${API}/me`);
export type LoginBy = ({ token: string } | { code: string }) & { replace?: boolean };
export const login = (by: LoginBy) => ask<Me>(LOGIN, { method: 'POST', body: by });
export const logout = () => ask<void>(`${API}/logout`, { method: 'POST' });
export const namespaces = () => askAll<Namespace>(`${API}/namespaces`);

export const MeContext = createContext<Me | undefined>(undefined);

export function useMe(): Me {
  const me = useContext(MeContext);
  if (me === undefined) {
    throw new Error('useMe is for pages behind the login.');
  }
  return me;
}

/** Where one was when the session ended; kept in the history entry of the login page. */
export interface CameFrom {
  from?: string;
  over?: boolean;
}
