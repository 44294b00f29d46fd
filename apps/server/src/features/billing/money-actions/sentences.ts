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

/** Who has something going on there: `Ada started a refund of $12.00 just now, and its outcome is not known yet`. */
export function openText(action: ActionRow, nowMs: number): string {
  const started = `${action.actor_name} started a ${nameOf(action)} ${agoText(action.created_at, nowMs)}`
  return `${started}, and ${action.state === 'unknown' ? 'its outcome is not known yet' : 'it is not finished yet'}`
}

export const runningText = (action: ActionRow): string =>
  `This ${nameOf(action)} is still running. Its outcome will be answered when the call is repeated.`

const asSentence = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`)

export function unknownText(action: About, reason: string): string {
  const advice = wordsOf(action).settlesOnRepeat
    ? '. Trying again is safe: nothing is saved twice.'
    : ': please do not start it again.'
  return `${asSentence(reason)} So it is not known yet whether the ${nameOf(action)} happened. The console finds out by itself, usually within a few minutes${advice}`
}

export const unrecordedText = (action: About): string =>
  `Stripe has accepted the ${nameOf(action)}, but the console could not write it down. It does so by itself as soon as it can: please do not start it again.`
