import './frame/mantine';
import './frame/ground.css';
import { MantineProvider } from '@mantine/core';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { createRoot } from 'react-dom/client';
import { BrowserRouter } from 'react-router';
import { refusalOf } from './api/refusal';
import { Crash } from './frame/Crash';
import { Pages } from './frame/pages';
import { styleNonce } from './frame/nonce';
import { theme, variables } from './frame/theme';
import { Toasts } from './pieces/Toasts';
import { guardLoginCode } from './session/loginCode';
import { startLanguages } from './words/languages';

guardLoginCode();
await startLanguages();

const TRIES = 2;
const client = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 2_000,
      // Only what may be otherwise in a moment is asked again: no answer at all, or 5xx.
      retry: (failures, thrown) => {
        const { status } = refusalOf(thrown);
        return failures < TRIES && (status === 0 || status >= 500);
      },
    },
  },
});

createRoot(document.getElementById('root')!).render(
  <MantineProvider getStyleNonce={styleNonce} theme={theme} cssVariablesResolver={variables} defaultColorScheme="auto">
    <QueryClientProvider client={client}>
      <BrowserRouter>
        <Toasts />
        <Crash><Pages /></Crash>
      </BrowserRouter>
    </QueryClientProvider>
  </MantineProvider>,
);
