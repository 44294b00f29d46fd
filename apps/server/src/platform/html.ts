import { createHash } from 'node:crypto'

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

const escapeHtml = (text: string): string => text.replaceAll(/[&<>"']/g, (found) => entities[found] ?? found)

/** Markup that is known to be safe: it was made by `html`. */
export class Html {
  readonly markup: string

  constructor(markup: string) {
    this.markup = markup
  }
}

type Value = Html | string | number | null | readonly Html[]

const markupOf = (value: Value): string => {
  if (value === null) return ''
  if (value instanceof Html) return value.markup
  if (Array.isArray(value)) return value.map(({ markup }: Html) => markup).join('')
  return escapeHtml(String(value))
}

/** Every value is text unless it was made by this function itself. */
export const html = (parts: TemplateStringsArray, ...values: readonly Value[]): Html =>
  new Html(parts.reduce((markup, part, index) => `${markup}${markupOf(values[index - 1] ?? null)}${part}`))

type Page = { title: string; styles: string; body: Html }

/** A whole page without scripts; its styles stand in it, and nothing is loaded. */
export const pageOf = ({ title, styles, body }: Page): string =>
  `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${escapeHtml(title)}</title>
<style>${styles}</style>
</head>
<body>${body.markup}</body>
</html>
`

/** What such a page may do: show itself in these styles, and send a form where it came from if it has one. */
export const policyOf = (styles: string, forms: 'none' | 'self' = 'none'): string =>
  [
    "default-src 'none'",
    `style-src 'sha256-${createHash('sha256').update(styles).digest('base64')}'`,
    "base-uri 'none'",
    `form-action '${forms}'`,
    "frame-ancestors 'none'",
  ].join('; ')
