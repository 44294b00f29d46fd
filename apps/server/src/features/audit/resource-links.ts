const open = (page: string) => (id: string | null) =>
  id === null ? `/admin/${page}` : `/admin/${page}?open=${encodeURIComponent(id)}`
const page = (path: string) => () => `/admin/${path}`

/** Where the console shows what an entry is about. */
const links: Record<string, (id: string | null) => string> = {
  customer: open('customers'),
  customers: page('customers'),
  customer_note: page('customers'),
  payment: open('payments'),
  subscription: open('subscriptions'),
  user: open('users'),
  role: page('users?tab=roles'),
  api_key: open('api-keys'),
  setting: page('config'),
  mail: page('config?tab=outbox'),
  session: page('security?tab=sessions'),
  admin_key: page('security'),
  address: page('security?tab=attempts'),
  account: page('security?tab=attempts'),
  security: page('security'),
  audit: page('audit'),
  mirror: page('health'),
  webhook_event: page('health'),
}

export const linkOf = (resource: string, id: string | null): string | null => links[resource]?.(id) ?? null
