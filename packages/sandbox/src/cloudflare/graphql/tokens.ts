import { GraphqlRefusal } from './refusal.ts'

export type Token = { kind: 'punctuator' | 'name' | 'number' | 'string' | 'end'; text: string }

const pattern =
  /[\s,\uFEFF]+|#[^\n\r]*|(?<punctuator>\.\.\.|[!$&()[\]{}:=@|])|(?<name>[A-Za-z_]\w*)|(?<number>-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)|"""(?<block>[\s\S]*?)"""|(?<string>"(?:[^"\\\n\r]|\\.)*")/gy

function unquoted(text: string): string {
  try {
    return JSON.parse(text) as string
  } catch {
    throw new GraphqlRefusal(`Syntax Error: invalid string ${text}`)
  }
}

function tokenOf(groups: Record<string, string | undefined>): Token | undefined {
  const { punctuator, name, number, block, string } = groups
  if (punctuator !== undefined) return { kind: 'punctuator', text: punctuator }
  if (name !== undefined) return { kind: 'name', text: name }
  if (number !== undefined) return { kind: 'number', text: number }
  if (block !== undefined) return { kind: 'string', text: block.trim() }
  return string === undefined ? undefined : { kind: 'string', text: unquoted(string) }
}

export function tokensOf(source: string): Token[] {
  const tokens: Token[] = []
  pattern.lastIndex = 0
  while (pattern.lastIndex < source.length) {
    const at = pattern.lastIndex
    const match = pattern.exec(source)
    if (!match) throw new GraphqlRefusal(`Syntax Error: unexpected character ${JSON.stringify(source[at])} at ${at}`)
    const token = tokenOf(match.groups ?? {})
    if (token) tokens.push(token)
  }
  return [...tokens, { kind: 'end', text: 'end of query' }]
}
