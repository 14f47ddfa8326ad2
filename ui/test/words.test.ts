import { parseAst } from 'vite';
import { describe, expect, test } from 'vitest';
import { en } from '../src/words/en';
import { firstLanguage } from '../src/words/languages';
import { zh } from '../src/words/zh';
import { code } from './sources';

type Tree = { [key: string]: string | Tree };

function leaves(tree: Tree, above = ''): [string, string][] {
  return Object.entries(tree).flatMap(([key, value]) =>
    typeof value === 'string' ? [[above + key, value] as [string, string]] : leaves(value, `${above}${key}.`),
  );
}

const places = (text: string) => [...text.matchAll(/{{(\w+)}}/g)].map((match) => match[1]).sort();

describe('dictionaries', () => {
  const english = new Map(leaves(en));
  const chinese = new Map(leaves(zh));

  test('both languages have the same keys', () => {
    expect([...chinese.keys()].sort()).toEqual([...english.keys()].sort());
    expect(english.size).toBeGreaterThan(300);
  });

  test('no word is empty', () => {
    for (const [key, text] of [...english, ...chinese]) {
      expect(text.trim(), key).not.toBe('');
    }
  });

  test('English names the actor and uses the terms of the field', () => {
    const vague = /\b(somebody|nobody|whoever|meanwhile|told|heard|goes? on|made|what happens)\b|colour/i;
    expect([...english].filter(([, text]) => vague.test(text)).map(([key, text]) => `${key}: ${text}`)).toEqual([]);
  });

  test('both languages fill in the same values', () => {
    for (const [key, text] of english) {
      expect(places(chinese.get(key)!), key).toEqual(places(text));
    }
  });

  test('no value has a name that i18next reserves', () => {
    const taken = ['ns', 'lng', 'lngs', 'context', 'defaultValue', 'replace', 'keyPrefix', 'ordinal', 'postProcess'];
    expect([...english].filter(([, text]) => places(text).some((name) => taken.includes(name!))).map(([key]) => key)).toEqual([]);
  });

  test('what is Chinese is Chinese', () => {
    const same = [...english].filter(([key, text]) => chinese.get(key) === text && /[a-z]{3}/i.test(text.replace(/{{\w+}}/g, ''))).map(([key]) => key);
    expect(same.sort()).toEqual(['app.name', 'app.pageTitle', 'common.json', 'common.yaml', 'jobs.emptyCommand', 'tasks.emptyCommand', 'workers.cpu', 'workers.emptyCommand']);
  });

  test('every key is used', () => {
    const all = code.filter(({ path }) => !path.includes('words/')).map(({ text }) => text).join('\n');
    const unused = [...english.keys()].filter((key) => {
      const plain = key.replace(/_(one|other)$/, '');
      const parts = plain.split('.');
      // Keys that are put together: `state.${state}`, `bulk.${action}Title`, `live.${status}Hint`.
      const isMade = parts.some((_, i) => i > 0 && all.includes(`${parts.slice(0, i).join('.')}.\${`));
      return !all.includes(`'${plain}'`) && !isMade && !all.includes(`wordFor('${parts[0]}', `);
    });
    expect(unused).toEqual([]);
  });
});

describe('the first language', () => {
  test('is the one that was chosen', () => expect(firstLanguage('zh-CN', ['en-US'])).toBe('zh-CN'));
  test('is otherwise the first of the browser that there is', () => expect(firstLanguage(undefined, ['fr', 'zh-TW', 'en'])).toBe('zh-CN'));
  test('is English when nothing fits', () => expect(firstLanguage('tlh', ['fr'])).toBe('en'));
});

interface Ast {
  type: string;
  [key: string]: unknown;
}

function visit(node: unknown, see: (node: Ast) => void): void {
  if (Array.isArray(node)) {
    node.forEach((each) => visit(each, see));
  } else if (typeof node === 'object' && node !== null) {
    if (typeof (node as Ast).type === 'string') {
      see(node as Ast);
    }
    Object.values(node).forEach((each) => visit(each, see));
  }
}

/** Attributes that people read or hear. */
const SPOKEN = ['label', 'title', 'placeholder', 'description', 'alt', 'aria-label', 'aria-description', 'error', 'text', 'verb', 'word', 'message'];
const hasLetters = (value: unknown) => typeof value === 'string' && /\p{L}/u.test(value);

describe('visible text', () => {
  test('comes from the dictionaries, never from the code', () => {
    const hard: string[] = [];
    for (const { path, text } of code.filter((file) => file.path.endsWith('.tsx'))) {
      visit(parseAst(text, { lang: 'tsx' }), (node) => {
        if (node.type === 'JSXText' && hasLetters(node.value)) {
          hard.push(`${path}: ${String(node.value).trim()}`);
        }
        if (node.type === 'JSXAttribute') {
          const name = (node.name as { name: string }).name;
          const value = node.value as { type: string; value?: unknown } | null;
          if (SPOKEN.includes(name) && value?.type === 'Literal' && hasLetters(value.value)) {
            hard.push(`${path}: ${name}=${String(value.value)}`);
          }
        }
      });
    }
    expect(hard).toEqual([]);
  });

  test('is found by this test where it is hard-coded', () => {
    const found: unknown[] = [];
    visit(parseAst('const a = <b title="Hello">World</b>;', { lang: 'tsx' }), (node) => {
      if (node.type === 'JSXText' || node.type === 'JSXAttribute') {
        found.push(node.type);
      }
    });
    expect(found.sort()).toEqual(['JSXAttribute', 'JSXText']);
  });
});
