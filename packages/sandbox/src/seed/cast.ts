import { firstMembers } from './cast-first.ts'
import { otherMembers } from './cast-rest.ts'
import type { Member } from './member.ts'

/** Everyone whom the agency serves, with what became of them; no two are there for the same reason. */
export const cast: readonly Member[] = [...firstMembers, ...otherMembers]
