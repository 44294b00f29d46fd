import type { Plugin } from 'vite'
import { theme } from '../src/theme/theme.ts'

const id = 'virtual:theme.css'

type Rules = { [name: string]: string | number | Rules }

/** The theme's variables as a style sheet. Made at build time: at start MUI would need a tenth of a second for it on a slow machine. */
export function themeCss(): Plugin {
  return {
    name: 'theme-css',
    resolveId: (source) => (source === id ? `\0${id}` : undefined),
    load: (source) => (source === `\0${id}` ? sheets() : undefined),
  }
}

const selectorOf = (scheme: string) => `[data-theme="${scheme}"]`

/** Both schemes, by what the page says; paper is light whatever it says. */
function sheets(): string {
  const all = theme.generateStyleSheets() as Rules[]
  const light = all.flatMap((rules) =>
    Object.entries(rules).filter(([selector]) => selector.includes(selectorOf('light'))),
  )
  if (light.length === 0) throw new Error('the theme has no rules for its light scheme')
  const printed = Object.fromEntries(light.map(([, rules]) => [selectorOf('dark'), rules]))
  return [...all, { '@media print': printed }].map(toCss).join('\n')
}

function toCss(rules: Rules): string {
  return Object.entries(rules)
    .map(([name, value]) =>
      typeof value === 'object' ? `${name} {\n${toCss(value)}\n}` : `${toKebab(name)}: ${value};`,
    )
    .join('\n')
}

function toKebab(name: string): string {
  return name.startsWith('--') ? name : name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
}
