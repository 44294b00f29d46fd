import type { Kind, PlannedStep } from './plan.ts'

type Step = { name: string; target_id: string | null }

const recordTitles: Record<Kind, string> = {
  suspend: 'Mark the account as suspended',
  unsuspend: 'Mark the account as active',
  delete: 'Hide the customer from the lists',
  erase: 'Erase personal data',
}

/** One line that says what a step does. */
export function stepTitle(run: Kind, { name, target_id }: Step): string {
  switch (name) {
    case 'record':
      return recordTitles[run]
    case 'pause':
      return `Pause the collection of ${target_id ?? 'a subscription'} at Stripe`
    case 'resume':
      return `Resume the collection of ${target_id ?? 'a subscription'} at Stripe`
    case 'sites':
      return run === 'unsuspend' ? 'Bring the sites online' : 'Take the sites offline'
    case 'mail':
      return 'Email the customer'
    case 'delete_at_stripe':
      return 'Delete the customer and live subscriptions at Stripe'
    default:
      return recordTitles.erase
  }
}

export const plannedTitle = (run: Kind, { kind, target }: PlannedStep): string =>
  stepTitle(run, { name: kind, target_id: target })

export const noSites = 'No sites affected'

/** What becomes of so many sites, of which the provider takes some offline, or brings them back. */
export function sitesNote(run: Kind, count: number, offline: number): string {
  if (run === 'erase') return 'Sites stay unchanged'
  if (count === 0) return noSites
  const left = count - offline
  if (run === 'unsuspend') {
    const back = count === 1 ? '1 site goes online' : `${count} sites go online`
    if (left === 0) return `${back} at Cloudflare`
    return offline === 0 ? back : `${back}, ${offline} of them at Cloudflare`
  }
  const lines = [
    offline > 0 ? `${sitesAre(offline)} taken offline at Cloudflare` : null,
    left > 0 ? `${sitesAre(left)} suspended here, but still live: the host cannot take sites offline` : null,
  ]
  return lines.filter((line) => line !== null).join('; ')
}

const sitesAre = (count: number): string => (count === 1 ? '1 site is' : `${count} sites are`)

type Notice = { subject: string; text: string }

export function noticeOf(kind: Kind, company: string, name: string | null): Notice {
  const greeting = name === null ? 'Hello' : `Hello ${name}`
  const isLifted = kind === 'unsuspend'
  const subject = isLifted
    ? `Your account with ${company} is active again`
    : `Your account with ${company} is suspended`
  const lines = isLifted
    ? ['Your account is active again. You do not need to do anything.']
    : ['Your account is suspended.', 'Please reply to this email if you have questions.']
  return { subject, text: `${[`${greeting},`, ...lines, company].join('\n\n')}\n` }
}
