import { hash, verify } from '@node-rs/argon2'
import type { AppContext } from '../../context.ts'
import { createTurns } from './turns.ts'

// https://cheatsheetseries.owasp.org/cheatsheets/Password_Storage_Cheat_Sheet.html#argon2id
// 2 is Argon2id: the package declares its names in a way that erasable TypeScript cannot read.
const cost = { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/** Hashes and compares passwords in threads of the pool, in turn with the other slow hashes of this process. */
export function createPasswordCheck(ctx: AppContext) {
  const { inTurn } = ctx.instance(createTurns)
  // Takes as long as a real comparison, for when there is no hash to compare with.
  let noPassword: Promise<string> | undefined

  async function matches(password: string, stored: string | null): Promise<boolean> {
    noPassword ??= hash('nobody has this password', cost)
    const against = stored ?? (await noPassword)
    const isRight = await inTurn(() => verify(against, password))
    return isRight && stored !== null
  }

  return { matches, hash: (password: string): Promise<string> => inTurn(() => hash(password, cost)) }
}
