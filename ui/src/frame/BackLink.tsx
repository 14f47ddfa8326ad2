import { Anchor } from '@mantine/core';
import { Link } from 'react-router';
import { LeftIcon } from '../pieces/icons';

export function BackLink({ to, word }: { to: string; word: string }) {
  return (
    <Anchor component={Link} to={to} size="sm" style={{ display: 'inline-flex', alignItems: 'center', gap: 4, alignSelf: 'flex-start' }}>
      <LeftIcon size={14} />{word}
    </Anchor>
  );
}
