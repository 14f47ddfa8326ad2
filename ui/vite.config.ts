import react from '@vitejs/plugin-react';
import { defineConfig } from 'vitest/config';

// The server's jar carries what lands here: Maven packs target/classes.
const OUTPUT = 'target/classes/ui';

export default defineConfig({
  plugins: [react()],
  base: '/',
  build: {
    outDir: OUTPUT,
    emptyOutDir: true,
    // The first of each that knows light-dark() and AbortSignal.any; older ones would get broken colours, not fewer.
    target: ['chrome123', 'firefox124', 'safari17.5'],
    sourcemap: false,
    manifest: 'manifest.json',
    // Inlined files would be data: addresses, which the content policy allows for pictures only.
    assetsInlineLimit: 0,
    rolldownOptions: {
      output: {
        // One file for what every page needs, instead of thirty crumbs that compress badly and are asked for one by one.
        codeSplitting: {
          groups: [
            { name: 'base', test: /node_modules[\\/](react|react-dom|scheduler|react-router|@tanstack|i18next|react-i18next|@floating-ui)[\\/]/ },
            { name: 'pieces', test: /src[\\/](pieces|api|live|session|frame)[\\/](?!LoginPage)/, minShareCount: 2 },
          ],
        },
      },
    },
    // The polyfill would be an inline script in old browsers' way; the ones we support preload by themselves.
    modulePreload: { polyfill: false },
  },
  server: { proxy: { '/api': 'http://127.0.0.1:8080' } },
  test: { include: ['test/**/*.test.ts'], environment: 'node' },
});
