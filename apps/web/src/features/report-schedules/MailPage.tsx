import { useLayoutEffect, useRef } from 'react'
import css from './schedules.module.css'

/** Its headings stand below those of the dialog. */
const shownAs: Record<string, string> = { H1: 'h3', H2: 'h4', BODY: 'div' }

/**
 * The page's policy takes no style that comes in markup, and a mail has no other: so its elements are made anew, with
 * their styles set one by one. Nothing else of them comes along but where a link leads.
 */
function rebuild(from: Element): HTMLElement {
  const made = document.createElement(shownAs[from.tagName] ?? from.tagName)
  made.style.cssText = from.getAttribute('data-style') ?? ''
  const role = from.getAttribute('role')
  if (role !== null) made.setAttribute('role', role)
  const scope = from.getAttribute('scope')
  if (scope !== null) made.setAttribute('scope', scope)
  if (from.tagName === 'TABLE') made.style.width = '100%'
  if (from.tagName === 'TD' && from.getAttribute('align') === 'center') made.style.textAlign = 'center'
  if (from.getAttribute('width') === '50%') made.style.width = '50%'
  for (const child of from.childNodes) {
    if (child instanceof Element) made.append(rebuild(child))
    else if (child.nodeType === Node.TEXT_NODE) made.append(child.textContent ?? '')
  }
  // It leads where the mail's own button does, which is this console: nobody needs it here.
  if (from.tagName === 'A') made.setAttribute('aria-disabled', 'true')
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
    root.replaceChildren(rebuild(parsed.body))
  }, [html])
  return <article ref={host} className={css['mail']} aria-label={label} />
}
