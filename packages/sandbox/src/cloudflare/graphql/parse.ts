import { GraphqlRefusal } from './refusal.ts'
import { type Token, tokensOf } from './tokens.ts'

export type Field = { name: string; alias: string; args: Record<string, unknown>; fields: Field[] }
type Selection = Field | { spread: string }
type Variables = Record<string, unknown>

/** Reads what queries are made of: one operation with variables and named fragments. */
class Reader {
  private readonly tokens: Token[]
  private readonly given: Variables
  private at = 0
  private variables: Variables = {}
  private readonly fragments = new Map<string, Selection[]>()

  constructor(source: string, given: Variables) {
    this.tokens = tokensOf(source)
    this.given = given
  }

  document(): Field[] {
    let operation: Selection[] | undefined
    while (this.token.kind !== 'end') {
      if (this.takes('fragment')) this.fragment()
      else if (operation) throw new GraphqlRefusal('must provide operation name if query contains multiple operations')
      else operation = this.operation()
    }
    if (!operation) throw new GraphqlRefusal('must provide an operation')
    return this.spread(operation, 0)
  }

  private get token(): Token {
    return this.tokens[this.at] as Token
  }

  private next(): Token {
    const { token } = this
    if (token.kind !== 'end') this.at += 1
    return token
  }

  private takes(text: string): boolean {
    const { token } = this
    if (token.text !== text || (token.kind !== 'punctuator' && token.kind !== 'name')) return false
    this.at += 1
    return true
  }

  private expect(text: string): void {
    if (!this.takes(text)) throw new GraphqlRefusal(`Syntax Error: expected "${text}", found "${this.token.text}"`)
  }

  private name(): string {
    const token = this.next()
    if (token.kind !== 'name') throw new GraphqlRefusal(`Syntax Error: expected a name, found "${token.text}"`)
    return token.text
  }

  private operation(): Selection[] {
    if (this.takes('mutation') || this.takes('subscription')) throw new GraphqlRefusal('only queries are supported')
    if (this.takes('query')) {
      if (this.token.kind === 'name') this.next()
      if (this.takes('(')) while (!this.takes(')')) this.variable()
    }
    return this.selections()
  }

  private variable(): void {
    this.expect('$')
    const name = this.name()
    this.expect(':')
    const isNeeded = this.type()
    const fallback = this.takes('=') ? this.value() : undefined
    const value = this.given[name] ?? fallback
    if (isNeeded && value === undefined) throw new GraphqlRefusal(`variable "${name}" is required`)
    this.variables = { ...this.variables, [name]: value }
  }

  private type(): boolean {
    if (this.takes('[')) {
      this.type()
      this.expect(']')
    } else this.name()
    return this.takes('!')
  }

  private fragment(): void {
    const name = this.name()
    this.expect('on')
    this.name()
    this.fragments.set(name, this.selections())
  }

  private selections(): Selection[] {
    this.expect('{')
    const found: Selection[] = []
    while (!this.takes('}')) {
      if (this.takes('...')) {
        if (this.takes('on')) {
          this.name()
          found.push(...this.selections())
        } else found.push({ spread: this.name() })
      } else found.push(this.field())
    }
    if (found.length === 0) throw new GraphqlRefusal('Syntax Error: a selection cannot be empty')
    return found
  }

  private field(): Field {
    const alias = this.name()
    const name = this.takes(':') ? this.name() : alias
    const args: Record<string, unknown> = {}
    if (this.takes('(')) while (!this.takes(')')) this.pair(args)
    const fields = this.token.text === '{' && this.token.kind === 'punctuator' ? (this.selections() as Field[]) : []
    return { name, alias, args, fields }
  }

  private pair(into: Record<string, unknown>): void {
    const name = this.name()
    this.expect(':')
    into[name] = this.value()
  }

  private value(): unknown {
    if (this.takes('$')) return this.variables[this.name()]
    if (this.takes('[')) {
      const list: unknown[] = []
      while (!this.takes(']')) list.push(this.value())
      return list
    }
    if (this.takes('{')) {
      const object: Record<string, unknown> = {}
      while (!this.takes('}')) this.pair(object)
      return object
    }
    const { kind, text } = this.next()
    if (kind === 'string') return text
    if (kind === 'number') return Number(text)
    if (kind !== 'name') throw new GraphqlRefusal(`Syntax Error: unexpected "${text}"`)
    return text === 'null' ? null : text === 'true' ? true : text === 'false' ? false : text
  }

  private spread(selections: Selection[], depth: number): Field[] {
    if (depth > 20) throw new GraphqlRefusal('the query is nested too deeply')
    return selections.flatMap((selection) => {
      if (!('spread' in selection)) return [{ ...selection, fields: this.spread(selection.fields, depth + 1) }]
      const fragment = this.fragments.get(selection.spread)
      if (!fragment) throw new GraphqlRefusal(`unknown fragment "${selection.spread}"`)
      return this.spread(fragment, depth + 1)
    })
  }
}

export const parseQuery = (source: string, variables: Variables): Field[] => new Reader(source, variables).document()
