import { parseSync } from '@swc/core'

const collapse = (text: string): string => text.replace(/\s+/g, ' ').trim()

/** What is written in a source to be read by somebody: its strings, templates (`…` for what is filled in) and JSX texts. */
export function textsOf(source: string, isTsx: boolean): string[] {
  const texts: string[] = []
  visit(parseSync(source, { syntax: 'typescript', tsx: isTsx, target: 'es2022' }), texts)
  return texts
}

type Tree = Record<string, unknown>

const isTree = (value: unknown): value is Tree => typeof value === 'object' && value !== null

function visit(node: unknown, texts: string[]): void {
  if (Array.isArray(node)) {
    for (const one of node) visit(one, texts)
    return
  }
  // A type is a name in the code, not a text.
  if (!isTree(node) || node['type'] === 'TsLiteralType') return
  const text = textOf(node)
  if (text) texts.push(text)
  for (const [key, value] of Object.entries(node)) {
    // The path of an import.
    if (key !== 'source') visit(value, texts)
  }
}

function textOf(node: Tree): string | null {
  switch (node['type']) {
    case 'StringLiteral':
    case 'JSXText':
      return collapse(String(node['value']))
    case 'TemplateLiteral':
      return collapse((node['quasis'] as { cooked?: string }[]).map(({ cooked = '' }) => cooked).join('…'))
    default:
      return null
  }
}
