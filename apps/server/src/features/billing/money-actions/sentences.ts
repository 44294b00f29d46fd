import type { ActionRow } from '../queries/money-actions.ts'
import { type About, wordsOf } from './kinds.ts'

/** `refund of $12.00`, `cancellation`, `cancellation at the end of the period` */
export const nameOf = (about: About): string => wordsOf(about).name(about)

/** Never one of anything, so every unit is in the plural. */
export function agoText(at: Date, nowMs: number): string {
  const seconds = Math.max(0, Math.floor((nowMs - at.getTime()) / 1000))
  if (seconds < 10) return 'just now'
  if (seconds < 120) return `${seconds} seconds ago`
  if (seconds < 2 * 3600) return `${Math.floor(seconds / 60)} minutes ago`
  if (seconds < 48 * 3600) return `${Math.floor(seconds / 3600)} hours ago`
  return `${Math.floor(seconds / 86_400)} days ago`
}

/** `SLA` begins with the sound of a vowel. */
const withArticle = (name: string): string => `${/^(undo|SLA) /.test(name) ? 'an' : 'a'} ${name}`

/** `Ada started a refund of $12.00 just now; outcome unknown` */
export function openText(action: ActionRow, nowMs: number): string {
  const started = `${action.actor_name} started ${withArticle(nameOf(action))} ${agoText(action.created_at, nowMs)}`
  return `${started}; ${action.state === 'unknown' ? 'outcome unknown' : 'still running'}`
}

export const runningText = (action: ActionRow): string =>
  `This ${nameOf(action)} is still running. Repeat the call for the outcome.`

const asSentence = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`)

export function unknownText(action: About, reason: string): string {
  const advice = wordsOf(action).settlesOnRepeat
    ? '. Trying again is safe: nothing is saved twice.'
    : ': please do not start it again.'
  return `${asSentence(reason)} Outcome of the ${nameOf(action)} unknown. The console checks with Stripe, usually within a few minutes${advice}`
}

export const unrecordedText = (action: About): string =>
  `Stripe accepted the ${nameOf(action)}. The console records it soon: please do not start it again.`
