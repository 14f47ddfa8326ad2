import { useQueryClient } from '@tanstack/react-query';
import { createContext, type ReactNode, useContext, useEffect, useState, useSyncExternalStore } from 'react';
import { concerned } from './concerned';
import { Feed, type ReceivedEvent, type LiveStatus } from './feed';
import { Throttle } from './throttle';

const FeedContext = createContext<Feed | undefined>(undefined);

/** Keeps everything below it fresh by the events of one namespace. Give it the namespace as key. */
export function Live({ ns, children }: { ns: string; children: ReactNode }) {
  const client = useQueryClient();
  const [{ feed, throttle }] = useState(() => {
    const throttle = new Throttle((concern) => void client.invalidateQueries({ queryKey: ['ns', ns, ...concern] }));
    const feed = new Feed(ns, (event) => concerned(event).forEach((concern) => throttle.mark(concern)));
    return { feed, throttle };
  });
  useEffect(() => {
    const stop = feed.start();
    return () => {
      stop();
      throttle.stop();
    };
  }, [feed, throttle]);
  return <FeedContext value={feed}>{children}</FeedContext>;
}

export function useFeed(): Feed {
  const feed = useContext(FeedContext);
  if (feed === undefined) {
    throw new Error('useFeed is for pages of a namespace.');
  }
  return feed;
}

export function useLiveStatus(): LiveStatus {
  const feed = useFeed();
  return useSyncExternalStore(feed.subscribe, () => feed.status);
}

export function useReceivedEvents(): readonly ReceivedEvent[] {
  const feed = useFeed();
  return useSyncExternalStore(feed.subscribe, () => feed.received);
}

const FALLBACK_MS = 10_000;

/** How often to ask: seldom or never while events come, every 10 s while they do not. */
export function useRefresh(whileLive: number | false): number | false {
  const status = useLiveStatus();
  if (status === 'on') {
    return whileLive;
  }
  return whileLive === false ? FALLBACK_MS : Math.min(whileLive, FALLBACK_MS);
}
