import type { Json } from '../api/shapes';

/** JSON written as YAML, for reading. Strings that YAML would take for something else are quoted. */
export function yamlOf(value: Json): string {
  return isLeaf(value) ? `${leaf(value, 0)}\n` : block(value, 0);
}

const PLAIN = /^[A-Za-z_/][A-Za-z0-9_ ./@+-]*$/;
const TAKEN = /^(true|false|null|yes|no|on|off|y|n|~)$/i;

type Branch = Json[] | { [key: string]: Json };

function isLeaf(value: Json): value is null | boolean | number | string {
  return value === null || typeof value !== 'object' || Object.keys(value).length === 0;
}

function block(value: Branch, depth: number): string {
  const indent = '  '.repeat(depth);
  if (Array.isArray(value)) {
    return value.map((item) => `${indent}-${isLeaf(item) ? ` ${leaf(item, depth + 1)}\n` : ` ${block(item, depth + 1).trimStart()}`}`).join('');
  }
  return Object.entries(value)
    .filter(([, item]) => item !== undefined)
    .map(([key, item]) => `${indent}${text(key)}:${isLeaf(item) ? ` ${leaf(item, depth + 1)}\n` : `\n${block(item, depth + 1)}`}`)
    .join('');
}

function leaf(value: Json, depth: number): string {
  if (Array.isArray(value)) {
    return '[]';
  }
  if (typeof value === 'object' && value !== null) {
    return '{}';
  }
  if (typeof value !== 'string') {
    return String(value);
  }
  return canBeBlock(value) ? literal(value, depth) : text(value);
}

/** Scripts and the like read better line by line. */
function canBeBlock(value: string): boolean {
  return value.includes('\n') && !/[^\S\n]\n|^\s|\r|[^\x20-\uD7FF\n\t]/.test(value) && !/\n\n$/.test(value);
}

function literal(value: string, depth: number): string {
  const indent = '  '.repeat(depth);
  const lines = value.replace(/\n$/, '').split('\n');
  return `${value.endsWith('\n') ? '|' : '|-'}\n${lines.map((line) => (line === '' ? '' : indent + line)).join('\n')}`;
}

function text(value: string): string {
  const isPlain = PLAIN.test(value) && !TAKEN.test(value) && !/\s$/.test(value);
  return isPlain ? value : JSON.stringify(value);
}
