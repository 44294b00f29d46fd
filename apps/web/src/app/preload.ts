import { matchRoutes } from 'react-router'
import { loadPage } from './page.tsx'
import { type Route, routes } from './routes.tsx'

// The router ranks the whole map anew for every question; most addresses are in it as they are.
const byPath = new Map(routes.map((route) => [route.path, route]))

/** The route that a path stands for. */
export function routeOf(pathname: string): Route | undefined {
  const path = pathname.length > 1 ? pathname.replace(/\/+$/, '') : pathname
  return byPath.get(path) ?? (matchRoutes(routes, pathname)?.at(-1)?.route as Route | undefined)
}

/** The title of the tab that is open, where it is a screen of its own. */
export function tabTitleOf(pathname: string, search: string): string | undefined {
  const titles = routeOf(pathname)?.tabTitles ?? {}
  const tab = new URLSearchParams(search).get('tab') ?? ''
  return Object.hasOwn(titles, tab) ? titles[tab] : undefined
}

/** Starts loading the code of a path's page; a failure shows when the page is opened. */
export function preload(pathname: string): void {
  const load = routeOf(pathname)?.load
  if (load) loadPage(load).catch(() => {})
}
