import type { StatusPage } from '@agency/contract/types'
import type { Problems } from '../../../lib/form/use-edit-form.ts'

export type ShownSite = { id: string; name: string; detail: string; label: string }
export type PageFields = { version: number; isOn: boolean; title: string; slug: string; sites: ShownSite[] }

const suggestedSlug = (name: string | null): string =>
  (name ?? '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, 40)
    .replace(/-+$/, '')

/** A page that was never set up is off, and is offered with all sites of its customer. */
export function fieldsOf({ version, is_on, title, slug, customer_name, sites }: StatusPage): PageFields {
  const isNew = version === 0
  return {
    version,
    isOn: is_on,
    title: title || 'Status',
    slug: slug ?? (isNew ? suggestedSlug(customer_name) : ''),
    sites: sites
      .filter(({ is_shown }) => isNew || is_shown)
      .map(({ site_id, site_name, domain, label }) => ({
        id: site_id,
        name: site_name,
        detail: domain,
        label: label ?? '',
      })),
  }
}

const mostSites = 200
const slugPattern = /^[a-z0-9][a-z0-9-]{1,38}[a-z0-9]$/

export const problemsOf = ({ title, slug, sites }: PageFields, isAgency: boolean): Problems<PageFields> => ({
  title:
    title.trim() === '' ? 'Enter a title' : title.trim().length > 80 ? 'A title has 80 characters at most' : undefined,
  sites: sites.length > mostSites ? `A page shows ${mostSites} sites at most` : undefined,
  slug: isAgency || slugPattern.test(slug.trim().toLowerCase()) ? undefined : 'Use 3 to 40 letters, digits or hyphens',
})

/** Over the state that it was typed over. */
export const bodyOf = ({ isOn, title, slug, sites }: PageFields, id: string, before: PageFields) => ({
  version: before.version,
  is_on: isOn,
  title: title.trim(),
  slug: id === 'agency' ? null : slug.trim().toLowerCase(),
  sites: sites.map((site) => ({ site_id: site.id, label: site.label.trim() || null })),
})

export const ownerOf = ({ id, customer_name }: Pick<StatusPage, 'id' | 'customer_name'>): string =>
  id === 'agency' ? 'Agency' : (customer_name ?? id)
