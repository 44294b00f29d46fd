import type { Route } from './route.ts'

export type Found = { route: Route; id: string; sub: string }
type Node = { children: Map<string, Node>; any: Node | null; routes: Map<string, Route> }

const node = (): Node => ({ children: new Map(), any: null, routes: new Map() })

/** Finds the route of a path; a fixed segment goes before a parameter. */
export function router(routes: Route[]): (method: string, path: string) => Found | undefined {
  const root = node()
  for (const route of routes) {
    let at = root
    for (const part of route.path.split('/').slice(1)) {
      if (part.startsWith(':')) at = at.any ??= node()
      else {
        const next = at.children.get(part) ?? node()
        at.children.set(part, next)
        at = next
      }
    }
    at.routes.set(route.method, route)
  }
  return (method, path) => find(root, path.split('/').slice(1), method, [])
}

function find(at: Node, parts: string[], method: string, values: string[]): Found | undefined {
  const [part, ...rest] = parts
  if (part === undefined) {
    const route = at.routes.get(method)
    return route ? { route, id: values[0] ?? '', sub: values[1] ?? '' } : undefined
  }
  const child = at.children.get(part)
  const fixed = child ? find(child, rest, method, values) : undefined
  if (fixed) return fixed
  if (!at.any || part === '') return undefined
  return find(at.any, rest, method, [...values, decoded(part)])
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}
