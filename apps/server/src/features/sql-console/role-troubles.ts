import { randomUUID } from 'node:crypto'
import type { AppContext } from '../../context.ts'
import type { SecretBox } from '../../platform/secrets.ts'
import { isHere } from './own-processes.ts'
import { findRoleFacts, type RoleFacts } from './queries/role-facts.ts'
import { findRoleStanding } from './queries/roles.ts'
import { openSession } from './queries/session.ts'
import { passwordsOf } from './roles-script.ts'

export type RoleTroubles = {
  /** `missing`: somebody has to make them. `later`: the console makes them at the first query. */
  state: 'ready' | 'later' | 'missing'
  troubles: string[]
  /** The server runs on this machine, so that the memory of queries can be watched. */
  isWatched: boolean
}

/** What is wrong with the roles that queries run as; changes nothing. */
export async function findRoleTroubles(pool: AppContext['pool'], box: SecretBox | null): Promise<RoleTroubles> {
  const { names, present, may_create } = await findRoleStanding(pool)
  if (present.length < Object.keys(names).length)
    return { state: may_create ? 'later' : 'missing', troubles: [], isWatched: false }
  const facts = await findRoleFacts(pool, names)
  const entries = box ? await Promise.all(facts.map(({ name }) => tryToEnter(pool, name, passwordsOf(box)(name)))) : []
  return {
    state: 'ready',
    troubles: [...facts.flatMap(troublesOf), ...entries.flatMap(({ trouble }) => trouble ?? [])],
    isWatched: entries.some((entry) => entry.isWatched),
  }
}

function troublesOf(role: RoleFacts): string[] {
  const { name, member_of, reaches } = role
  return [
    ...(role.is_powerful ? [`${name} may do more than read`] : []),
    ...(role.inherits ? [`${name} inherits what its roles may do`] : []),
    ...(role.is_read_only ? [] : [`${name} does not begin read-only`]),
    ...(member_of.length > 0 ? [`${name} is a member of ${member_of.join(', ')}`] : []),
    ...(reaches.length > 0 ? [`${name} reaches ${reaches.join(', ')}`] : []),
    ...(role.is_ours ? [] : [`the console is no member of ${name}, so it cannot end its queries`]),
  ]
}

type Entry = { trouble: string | null; isWatched: boolean }

async function tryToEnter(pool: AppContext['pool'], name: string, password: string): Promise<Entry> {
  try {
    const session = await openSession(pool, randomUUID(), { name, password })
    const isWatched = await isHere(session)
    await session.close()
    return { trouble: null, isWatched }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    return { trouble: `${name} cannot sign in: ${reason}`, isWatched: false }
  }
}
