import type { Reader } from '../store/reader.ts'
import { balanceTransaction } from '../stripe/objects/balance-transaction.ts'
import type { Coupon, Kind } from '../stripe/types.ts'
import { present } from '../world/present.ts'
import type { Entry } from '../world/world.ts'
import { badValue } from './errors.ts'
import { type Expansion, expansions } from './expansions.ts'
import { includeParts } from './includes.ts'
import type { ShownKind } from './route.ts'
import { type Node, shownEntry } from './show.ts'

type Step = { expansion: Expansion; keys: string[]; rest: string[] }

const deepest = 4
const longestKey = 3

const tooDeep = (path: string) =>
  badValue(`You cannot expand more than ${deepest} levels of a property. Property: ${path}`, 'expand')

function notExpandable(path: string, segments: string[], kind: ShownKind): Error {
  const here = path.split('.').slice(0, path.split('.').length - segments.length)
  const hints = Object.keys(expansions[kind]).map((key) => `'${[...here, key].join('.')}'`)
  const advice = hints.length > 0 ? ` You may want to try expanding ${hints.slice(0, 3).join(', or ')}.` : ''
  return badValue(`This property cannot be expanded (${path}).${advice}`, 'expand')
}

function nextStep(kind: ShownKind, segments: string[]): Step | undefined {
  for (let length = Math.min(longestKey, segments.length); length > 0; length--) {
    const keys = segments.slice(0, length)
    const expansion = expansions[kind][keys.join('.')]
    if (expansion) return { expansion, keys, rest: segments.slice(length) }
  }
  return undefined
}

/** Refuses what Stripe refuses, whatever the answer will hold. */
export function checkExpansions(paths: string[], kind: ShownKind, list: boolean): void {
  for (const path of paths) {
    const segments = path.split('.')
    if (segments.length > deepest) throw tooDeep(path)
    if (list && segments[0] !== 'data') throw notExpandable(path, segments, kind)
    checkSegments(path, kind, list ? segments.slice(1) : segments)
  }
}

function checkSegments(path: string, kind: ShownKind, segments: string[]): void {
  if (segments.length === 0) return
  const step = nextStep(kind, segments)
  if (!step) throw notExpandable(path, segments, kind)
  const { expansion, rest } = step
  if (rest.length === 0) return
  if (!('to' in expansion)) {
    if (expansion.mode === 'never') return
    throw notExpandable(path, rest, 'other')
  }
  if (expansion.list && rest[0] !== 'data') throw notExpandable(path, rest, kind)
  checkSegments(path, expansion.to, expansion.list ? rest.slice(1) : rest)
}

type Site = { holder: Node; key: string }

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && !Array.isArray(value)

function sitesOf(nodes: Node[], keys: string[]): Site[] {
  const last = keys.at(-1)!
  let holders: Node[] = nodes
  for (const key of keys.slice(0, -1)) {
    holders = holders.flatMap((holder) => {
      const inner = holder[key]
      return Array.isArray(inner) ? inner.filter(isNode) : isNode(inner) ? [inner] : []
    })
  }
  return holders.map((holder) => ({ holder, key: last }))
}

/** A deleted coupon is still whole behind its discounts, which go on with it; the SDK's types know no mark there. */
function asObject(entry: Entry | undefined, id: string): unknown {
  if (entry?.kind === 'coupon') return present('coupon', entry.doc as Coupon)
  return entry ? shownEntry(entry) : id
}

async function expandRefs(sites: Site[], to: ShownKind, read: Reader): Promise<Node[]> {
  const ids = sites.flatMap(({ holder, key }) => {
    const value = holder[key]
    return typeof value === 'string'
      ? [value]
      : Array.isArray(value)
        ? value.filter((id) => typeof id === 'string')
        : []
  })
  if (ids.length > 0) {
    const entries = await read.many(to as Kind, ids)
    const open = (id: unknown) => (typeof id === 'string' ? asObject(entries.get(id), id) : id)
    for (const { holder, key } of sites) {
      const value = holder[key]
      holder[key] = Array.isArray(value) ? value.map(open) : open(value)
    }
  }
  return sites.flatMap(({ holder, key }) => [holder[key]].flat()).filter(isNode)
}

function embedded(sites: Site[], list: boolean): Node[] {
  return sites.flatMap(({ holder, key }) => {
    const value = holder[key]
    if (!isNode(value)) return []
    return list ? ((value['data'] as Node[] | undefined) ?? []) : [value]
  })
}

async function expandPath(nodes: Node[], kind: ShownKind, segments: string[], read: Reader): Promise<void> {
  const step = nodes.length > 0 && segments.length > 0 ? nextStep(kind, segments) : undefined
  if (!step) return
  const { expansion, keys, rest } = step
  const sites = sitesOf(nodes, keys)
  if (expansion.mode === 'never') return
  if (expansion.mode === 'balance_transaction') {
    for (const { holder, key } of sites) {
      if (typeof holder[key] === 'string') holder[key] = balanceTransaction(holder, holder[key])
    }
    return
  }
  const list = expansion.list ?? false
  if (expansion.mode === 'include') await includeParts(nodes, kind, keys[0]!, read)
  const next =
    expansion.mode === 'ref' || expansion.mode === 'refs'
      ? await expandRefs(sites, expansion.to, read)
      : embedded(sites, list)
  await expandPath(next, expansion.to, list ? rest.slice(1) : rest, read)
}

/** Fills in what the caller asked to have expanded, one query for all objects of a step. */
export async function expand(nodes: Node[], kind: ShownKind, paths: string[], read: Reader): Promise<void> {
  for (const path of paths) await expandPath(nodes, kind, path.split('.'), read)
}
