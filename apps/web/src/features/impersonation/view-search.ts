import { oneOf } from '../../lib/search-state.ts'

const viewTabs = ['account', 'subscriptions', 'invoices', 'payments', 'sites'] as const
export type ViewTab = (typeof viewTabs)[number]

export const viewSearch = { tab: oneOf(viewTabs, 'account') }

export const viewPaging = { sizes: [10, 25, 50], initialSize: 25 }

export const viewIdOf = (pathname: string): string => pathname.split('/')[3] ?? ''
