import { load } from '../lib/storage.ts'

/** Whoever has a key will need the console's scripts: they are asked for at once and not one after the other. */
export function preloadScripts(page: Document): void {
  const named = page.querySelector<HTMLMetaElement>('meta[name="console-scripts"]')?.content
  if (!named || !load('adminKey')) return
  for (const file of named.split(' ')) {
    const link = page.createElement('link')
    link.rel = 'modulepreload'
    link.crossOrigin = ''
    link.href = `/${file}`
    page.head.append(link)
  }
}
