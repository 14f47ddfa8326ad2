import 'i18next';
import type { Words } from './en';

// Lets the compiler refuse a key that no dictionary has.
declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'translation';
    resources: { translation: Words };
  }
}
