import type { Page } from '@playwright/test'
import { api, consoleUrl } from './test.ts'

type Made = { user: { id: string } }
type SignedIn = { session_key: string }

export type Colleague = { id: string; name: string; email: string; password: string; key: string }

const send = <T>(path: string, body: object, key?: string) =>
  api<T>(path, { method: 'POST', body: JSON.stringify(body), ...(key && { headers: { 'x-admin-key': key } }) })

/** Somebody with a role, who has chosen a password and is signed in. */
export async function addColleague(roleId: string, name = 'Guest'): Promise<Colleague> {
  const mark = crypto.randomUUID().slice(0, 8)
  const person = { name: `${name} ${mark}`, email: `guest-${mark}@example.com` }
  const temporary = 'harbour candle sixteen otters'
  const password = 'violin marble thunder apricot'
  const { user } = await send<Made>('/admin/users', {
    ...{ ...person, role_id: roleId, temporary_password: temporary, send_welcome_email: false },
  })
  const first = await send<SignedIn>('/auth/login/email', { email: person.email, password: temporary })
  const { session_key: key } = await send<SignedIn>('/auth/first-password', { password }, first.session_key)
  return { ...person, id: user.id, password, key }
}

/** Opens a screen as somebody who is signed in. */
export async function openAs(page: Page, { key }: Colleague, path = '/admin'): Promise<void> {
  const script = await page.addInitScript((kept) => localStorage.setItem('adminKey', kept), key)
  page.once('domcontentloaded', () => void script.dispose())
  await page.goto(`${consoleUrl()}${path}`)
}
