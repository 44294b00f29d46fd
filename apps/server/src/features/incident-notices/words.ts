import { utcText } from '../../platform/day-text.ts'
import { AppError } from '../../platform/errors.ts'

export type Words = { subject: string; text: string }
export type Named = { name: string | null; sites: readonly string[] }

function spanText(from: Date, to: Date): string {
  const minutes = Math.max(1, Math.round((to.getTime() - from.getTime()) / 60_000))
  const hours = Math.floor(minutes / 60)
  if (hours === 0) return minutes === 1 ? '1 minute' : `${minutes} minutes`
  return `${hours} h ${minutes % 60} min`
}

/** The incident's own title may name the site of another customer, so a draft never has it. */
export function draftOf(
  { opened_at, resolved_at }: { opened_at: Date; resolved_at: Date | null },
  company: string,
): Words {
  if (resolved_at === null)
    return {
      subject: 'Problem with {sites}',
      text: [
        'Hello {customer},',
        `There has been a problem with {sites} since ${utcText(opened_at)}. We noticed the problem and are fixing it.`,
        'We will email you again as soon as the problem is resolved. You do not need to do anything.',
        company,
      ].join('\n\n'),
    }
  return {
    subject: 'Resolved: problem with {sites}',
    text: [
      'Hello {customer},',
      `The problem with {sites} is resolved. It started on ${utcText(opened_at)} and lasted ${spanText(opened_at, resolved_at)}.`,
      'We are sorry for the interruption. Please reply to this email if something still looks wrong.',
      company,
    ].join('\n\n'),
  }
}

const known = new Set(['customer', 'sites'])

/** A word in braces that nothing stands for would reach the customer as it is. */
export function checkWords({ subject, text }: Words): void {
  for (const [parameter, words] of [
    ['subject', subject],
    ['text', text],
  ] as const)
    for (const [whole, name] of words.matchAll(/\{([A-Za-z_]+)\}/g))
      if (!known.has(name ?? ''))
        throw new AppError('invalid_request', `Unknown placeholder ${whole}: use {customer} or {sites}`, {
          parameter: `body.${parameter}`,
        })
}

function listText(all: readonly string[]): string {
  if (all.length <= 1) return all[0] ?? 'your website'
  return `${all.slice(0, -1).join(', ')} and ${all.at(-1)}`
}

/** In one pass, so that a name in braces is not filled in again. */
function fill(words: string, { name, sites }: Named): string {
  return words.replaceAll(/ ?\{(customer|sites)\}/g, (found, key) => {
    const before = found.startsWith(' ') ? ' ' : ''
    if (key === 'sites') return before + listText(sites)
    return name === null ? '' : before + name
  })
}

const oneLine = (text: string) => text.replaceAll(/\s+/g, ' ').trim()

/** A notice as one customer gets it. */
export const wordsFor = ({ subject, text }: Words, receiver: Named): Words => ({
  subject: oneLine(fill(subject, receiver)),
  text: fill(text, receiver),
})
