import type { Handover } from '@agency/contract/types'
import type { Problems } from '../../lib/form/use-edit-form.ts'

/** How somebody gets their first, or next, password. */
export type WayIn = { by: 'password' | 'link'; password: string; sendMail: boolean }

/** What was done, and what has to be handed over. */
export type Done = { title: string; answer: Handover; temporaryPassword: string | null }

const letters = 'abcdefghjkmnpqrstuvwxyz23456789'

/** A temporary password that can be read out: four groups of four, about 79 random bits. */
export function makePassword(): string {
  const random = crypto.getRandomValues(new Uint8Array(64))
  // Bytes from 248 on would make the first letters likelier.
  const fair = [...random].filter((byte) => byte < 256 - (256 % letters.length)).slice(0, 16)
  const text = fair.map((byte) => letters[byte % letters.length]).join('')
  return text.match(/.{1,4}/g)?.join('-') ?? text
}

export const wayInProblems = ({ by, password }: WayIn): Problems<WayIn> => ({
  password: by === 'password' && password === '' ? 'Please enter a temporary password' : undefined,
})

/** The server names the field of the call. */
export const wayInFields = { temporary_password: 'password' } as const

export const passwordOf = ({ by, password }: WayIn): string | null => (by === 'password' ? password : null)
