import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { Outlet, useLocation, useNavigate } from 'react-router';
import { carryCsrf, onSessionOver } from '../api/http';
import { refusalOf } from '../api/refusal';
import { Waiting } from '../frame/Waiting';
import { ProblemNote } from '../pieces/ProblemNote';
import { type CameFrom, ME, MeContext, whoAmI } from './session';

/** Requires a session: redirects to the login, which redirects back. */
export function Guard() {
  const me = useQuery({ queryKey: ME, queryFn: whoAmI, staleTime: 60_000 });
  const leaving = useLeaving(me.data !== undefined);
  carryCsrf(me.data?.csrf);
  if (me.data) {
    return <MeContext value={me.data}><Outlet /></MeContext>;
  }
  if (me.error && refusalOf(me.error).status !== 401) {
    return <Waiting><ProblemNote thrown={me.error} again={() => void me.refetch()} /></Waiting>;
  }
  return leaving ? null : <Waiting />;
}

function useLeaving(wasIn: boolean): boolean {
  const navigate = useNavigate();
  const location = useLocation();
  const client = useQueryClient();
  const left = useRef(false);
  useEffect(() => {
    onSessionOver(() => {
      if (left.current) {
        return; // several requests learn of it at once; one of them is enough
      }
      left.current = true;
      const from: CameFrom = { from: location.pathname + location.search, over: wasIn };
      void navigate('/login', { state: from, replace: true });
      client.clear();
    });
    return () => onSessionOver(() => {});
  }, [navigate, location, client, wasIn]);
  return left.current;
}
