import type * as sites from '@agency/contract/descriptors/sites'
import type { SiteDetails } from '@agency/contract/types'
import type { Input } from '../../../lib/api.ts'

const lines = ['site_name', 'domain', 'subdomain', 'deployment_url', 'template_type'] as const
type Line = (typeof lines)[number]

export type Owner = { id: string; name: string | null; email: string | null }

/** As it is typed: everything is text, and empty is none. */
export type SiteDraft = Record<Line, string> & { owner: Owner | null }
export type Problems = Partial<Record<Line | 'customer_id', string>>

export const requiredText = 'Please fill in required fields'

export const emptyDraft: SiteDraft = {
  site_name: '',
  domain: '',
  subdomain: '',
  deployment_url: '',
  template_type: '',
  owner: null,
}

export function draftOf(site: SiteDetails): SiteDraft {
  return {
    site_name: site.site_name,
    domain: site.domain,
    subdomain: site.subdomain ?? '',
    deployment_url: site.deployment_url ?? '',
    template_type: site.template_type ?? '',
    owner: site.owner ?? (site.customer_id ? { id: site.customer_id, name: site.customer_name, email: null } : null),
  }
}

const optional = (text: string): string | null => text.trim() || null

export function bodyOf(draft: SiteDraft): NonNullable<Input<typeof sites.createSite>['body']> {
  return {
    site_name: draft.site_name.trim(),
    domain: draft.domain.trim(),
    subdomain: optional(draft.subdomain),
    customer_id: draft.owner?.id ?? null,
    deployment_url: optional(draft.deployment_url),
    template_type: optional(draft.template_type),
  }
}

type Changes = Partial<ReturnType<typeof bodyOf>>

/** What differs, as the server takes it; null when nothing does. */
export function changesOf(draft: SiteDraft, before: SiteDraft): Changes | null {
  const [now, then] = [bodyOf(draft), bodyOf(before)]
  const changed = Object.entries(now).filter(([field, value]) => value !== then[field as keyof typeof then])
  return changed.length === 0 ? null : Object.fromEntries(changed)
}

/** What was typed over the old state, now over the new one. */
export function rebase(draft: SiteDraft, before: SiteDraft, now: SiteDraft): SiteDraft {
  const kept = lines.filter((line) => draft[line] !== before[line])
  return {
    ...now,
    ...(Object.fromEntries(kept.map((line) => [line, draft[line]])) as Partial<Record<Line, string>>),
    owner: draft.owner?.id === before.owner?.id ? now.owner : draft.owner,
  }
}

export const isComplete = ({ site_name, domain }: SiteDraft): boolean => site_name.trim() !== '' && domain.trim() !== ''

/** The refusal of the server at the field that it names. */
export function refusedField(error: { message: string; parameter?: string | undefined } | null): Problems {
  const field = error?.parameter?.split('.').at(-1)
  const isField = field !== undefined && ([...lines, 'customer_id'] as string[]).includes(field)
  return error && isField ? { [field]: error.message } : {}
}
