import { Alert, Button, Center, Group, Paper, PasswordInput, Stack, Text, Title } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation, useNavigate } from 'react-router';
import { carryCsrf } from '../api/http';
import { refusalOf } from '../api/refusal';
import bell from '../frame/bell.svg';
import { LanguageChoice } from '../frame/LanguageChoice';
import { useProblemWords } from '../pieces/useProblemWords';
import { isLoginCodeWaiting, onLoginCode } from './loginCode';
import { type CameFrom, login, ME } from './session';

export default function LoginPage() {
  const { t } = useTranslation();
  const [byLink] = useState(isLoginCodeWaiting);
  const [token, setToken] = useState('');
  const [missing, setMissing] = useState(false);
  const came = (useLocation().state ?? {}) as CameFrom;
  const entering = useEntering(came.from ?? '/');
  const words = useProblemWords();
  const navigate = useNavigate();
  const { mutate } = entering;
  useEffect(() => onLoginCode((code) => mutate({ code })), [mutate]);
  useEffect(() => {
    document.title = t('login.title');
  }, [t]);

  const submit = (event: FormEvent) => {
    event.preventDefault();
    const given = token.trim();
    setMissing(given === '');
    if (given !== '') {
      entering.mutate({ token: given, replace: true }); // whoever pastes a token wants to be its owner
    }
  };
  const refusal = entering.error ? refusalOf(entering.error) : undefined;
  const asked = refusal?.status === 409 && refusal.field === 'replace' ? entering.variables : undefined;
  const refused = refusal && !asked ? words(refusal) : undefined;
  const wasCode = entering.variables !== undefined && 'code' in entering.variables;
  const busyByLink = byLink && (entering.isIdle || entering.isPending) && !missing && token === '';

  return (
    <Center mih="100dvh" p="md" component="main">
      <Stack w="100%" maw={400} gap="lg">
        <Group justify="space-between">
          <Group gap="sm">
            <img src={bell} width={36} height={36} alt="" />
            <Text fw={700} size="xl">{t('app.name')}</Text>
          </Group>
          <LanguageChoice />
        </Group>
        <Paper withBorder p="lg" bg="var(--belfry-surface)">
          <form onSubmit={submit} noValidate>
            <Stack gap="md">
              <Title order={1} size="h3">{t('login.title')}</Title>
              {came.over && <Alert color="blue" variant="light">{t('login.over')}</Alert>}
              {refused && (
                <Alert role="alert" color="red" variant="light" title={wasCode ? t('login.linkFailed') : t('login.failed')}>{refused.sentence}</Alert>
              )}
              {refusal && asked && (
                <ReplaceQuestion parts={refusal.details} yes={() => entering.mutate({ ...asked, replace: true })} no={() => void navigate('/', { replace: true })} />
              )}
              <Text size="sm" c="dimmed">{busyByLink ? t('login.byLink') : t('login.intro')}</Text>
              <PasswordInput
                label={t('login.token')}
                description={t('login.tokenHint')}
                value={token}
                onChange={(event) => setToken(event.currentTarget.value)}
                error={missing && t('login.missing')}
                autoComplete="current-password"
                name="token"
                autoFocus
              />
              <Button type="submit" loading={entering.isPending} fullWidth>{t('login.submit')}</Button>
            </Stack>
          </form>
        </Paper>
      </Stack>
    </Center>
  );
}

/** A link that came from elsewhere must not put its reader into the session of its maker unasked. */
function ReplaceQuestion({ parts, yes, no }: { parts: Record<string, string>; yes: () => void; no: () => void }) {
  const { t } = useTranslation();
  return (
    <Alert role="alert" color="yellow" variant="light" title={t('login.replaceTitle')}>
      <Stack gap="sm">
        <Text size="sm">{t('login.replace', { current: parts.current, requested: parts.requested })}</Text>
        <Group gap="sm">
          <Button size="xs" onClick={no}>{t('login.stay', { current: parts.current })}</Button>
          <Button size="xs" variant="default" onClick={yes}>{t('login.replaceYes', { requested: parts.requested })}</Button>
        </Group>
      </Stack>
    </Alert>
  );
}

function useEntering(to: string) {
  const navigate = useNavigate();
  const client = useQueryClient();
  return useMutation({
    mutationFn: login,
    onSuccess: (me) => {
      client.clear();
      client.setQueryData(ME, me);
      carryCsrf(me.csrf);
      void navigate(to, { replace: true });
    },
  });
}
