import i18n from 'i18next';
import { initReactI18next } from 'react-i18next';
import { remembered, remember } from '../pieces/memory';
import type { Words } from './en';

export const LANGUAGES = [
  { code: 'en', name: 'English' },
  { code: 'zh-CN', name: '中文' },
] as const;
export type Language = (typeof LANGUAGES)[number]['code'];

const MEMORY = 'belfry.language';
const NAMESPACE = 'translation';

/** What was chosen before, else the first of the browser's languages that there is. */
export function firstLanguage(chosen: string | undefined, wanted: readonly string[]): Language {
  const known = LANGUAGES.find((language) => language.code === chosen);
  if (known) {
    return known.code;
  }
  const fitting = wanted.map((tag) => (tag.toLowerCase().startsWith('zh') ? 'zh-CN' : tag.toLowerCase().startsWith('en') ? 'en' : undefined));
  return fitting.find((code) => code !== undefined) ?? 'en';
}

/** Only the language that is spoken is fetched. */
const DICTIONARIES: Record<Language, () => Promise<Words>> = {
  en: () => import('./en').then((file) => file.en),
  'zh-CN': () => import('./zh').then((file) => file.zh),
};

async function learn(code: Language): Promise<void> {
  if (!i18n.hasResourceBundle(code, NAMESPACE)) {
    i18n.addResourceBundle(code, NAMESPACE, await DICTIONARIES[code]());
  }
}

/** Resolves when words are there. */
export async function startLanguages(): Promise<void> {
  const first = firstLanguage(remembered(MEMORY), navigator.languages);
  i18n.on('languageChanged', (code) => {
    document.documentElement.lang = code;
  });
  await i18n.use(initReactI18next).init({
    lng: first,
    fallbackLng: false,
    supportedLngs: LANGUAGES.map((language) => language.code),
    resources: { [first]: { [NAMESPACE]: await DICTIONARIES[first]() } },
    // React escapes; escaping twice would show &amp; to people.
    interpolation: { escapeValue: false },
  });
}

export function speak(code: Language): void {
  remember(MEMORY, code);
  void learn(code).then(() => i18n.changeLanguage(code));
}
