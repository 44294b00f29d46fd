import type { Store } from '../../store/store.ts'
import type { Invoice } from '../types.ts'
import { invoicePage } from './invoice-page.ts'
import { invoicePdf } from './invoice-pdf.ts'
import { paymentLinkPage } from './payment-link-page.ts'
import { portalPage } from './portal-page.ts'

export type Page = { type: string; body: Buffer; name?: string }

const patterns: [RegExp, (invoice: Invoice) => Page][] = [
  [
    /^\/i\/(in_\w+)$/,
    (invoice) => ({ type: 'text/html; charset=utf-8', body: Buffer.from(invoicePage(invoice), 'utf8') }),
  ],
  [
    /^\/invoice\/(in_\w+)\/pdf$/,
    (invoice) => ({ type: 'application/pdf', body: invoicePdf(invoice), name: `${invoice.id}.pdf` }),
  ],
]

/** What stands behind the links of invoices, portal sessions and payment links. As at the provider, whoever has the link may look. */
export const pagesOf =
  (store: Pick<Store, 'pool' | 'schema'>) =>
  async (path: string): Promise<Page | undefined> => {
    for (const [pattern, show] of patterns) {
      const id = pattern.exec(path)?.[1]
      if (!id) continue
      const { rows } = await store.pool.query<{ doc: Invoice }>(
        `select doc from ${store.schema}.objects where kind = 'invoice' and id = $1 and not deleted`,
        [id],
      )
      const invoice = rows[0]?.doc
      return invoice && invoice.status !== 'draft' ? show(invoice) : undefined
    }
    return (await paymentLinkPage(store, path)) ?? portalPage(store, path)
  }
