import { useLayoutEffect, useRef } from 'react'
import css from './schedules.module.css'

/** What a mail of ours is made of, and as what it is shown. Headings stand below those of the dialog; a link is none here. */
const shownAs: Record<string, string> = {
  ...{ BODY: 'div', H1: 'h3', H2: 'h4', A: 'span', DIV: 'div', P: 'p' },
  ...{ TABLE: 'table', THEAD: 'thead', TBODY: 'tbody', TR: 'tr', TH: 'th', TD: 'td' },
}
const kept = ['role', 'scope', 'colspan']

/**
 * The page's policy takes no style that comes in markup, and a mail has no other: so its elements are made anew, with
 * their styles set one by one. Anything else that stood in it is left out.
 */
function rebuild(from: Element): HTMLElement | null {
  const tag = shownAs[from.tagName]
  if (tag === undefined) return null
  const made = document.createElement(tag)
  const style = from.getAttribute('data-style')
  if (style !== null) made.style.cssText = style
  for (const name of kept) {
    const value = from.getAttribute(name)
    if (value !== null) made.setAttribute(name, value)
  }
  if (from.getAttribute('align') === 'center') made.style.textAlign = 'center'
  const width = from.getAttribute('width')
  if (width !== null) made.style.width = width
  for (const child of from.childNodes) {
    const copy =
      child instanceof Element ? rebuild(child) : child.nodeType === Node.TEXT_NODE ? child.textContent : null
    if (copy !== null) made.append(copy)
  }
  return made
}

/** A mail as a mail program shows it, apart from the styles of the page. */
export function MailPage({ html, label }: { html: string; label: string }) {
  const host = useRef<HTMLElement>(null)
  useLayoutEffect(() => {
    const element = host.current
    if (!element) return
    const root = element.shadowRoot ?? element.attachShadow({ mode: 'open' })
    // Text in it is escaped, quotes too, so what is found is an attribute.
    const parsed = new DOMParser().parseFromString(html.replaceAll(' style="', ' data-style="'), 'text/html')
    root.replaceChildren(rebuild(parsed.body) ?? '')
  }, [html])
  // biome-ignore lint/a11y/noNoninteractiveTabindex: what the keyboard scrolls must have the focus
  return <section ref={host} className={css['mail']} tabIndex={0} aria-label={label} />
}
