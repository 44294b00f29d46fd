import type { Plugin } from 'vite'

const firstScreen = /roboto-latin-(400|500)-normal-.*\.woff2$/

/** Starts loading the two faces of the first screen together with the script, so that text does not jump. */
export function preloadFonts(): Plugin {
  return {
    name: 'preload-fonts',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler: (_html, { bundle }) =>
        Object.keys(bundle ?? {})
          .filter((name) => firstScreen.test(name))
          .map((name) => ({
            tag: 'link',
            attrs: { rel: 'preload', as: 'font', type: 'font/woff2', href: `/${name}`, crossorigin: '' },
            injectTo: 'head' as const,
          })),
    },
  }
}
