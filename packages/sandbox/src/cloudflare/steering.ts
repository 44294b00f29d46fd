export const allScopes = [
  'User Details:Read',
  'Account Settings:Read',
  'Zone:Read',
  'Zone:Edit',
  'Zone Settings:Read',
  'Zone Settings:Edit',
  'DNS:Read',
  'DNS:Edit',
  'Cache Purge:Purge',
  'Analytics:Read',
  'Pages:Read',
  'Pages:Edit',
] as const

export type Scope = (typeof allScopes)[number]

/** How a build of a project ends that has not begun yet. */
export type BuildPlan = {
  outcome: 'success' | 'failure'
  /** How many lines the build command itself prints. */
  lines?: number
}

/** What can be told to Cloudflare while it runs. */
export type Steering = {
  /** How long a stage takes; the build itself takes three times as long. */
  stageMs: number
  scopes: readonly Scope[]
  tokenStatus: 'active' | 'disabled' | 'expired'
  /** Requests in five minutes, then everything is refused for as long; 0 switches the limit off. */
  requestLimit: number
  /** GraphQL queries in five minutes; 0 switches the limit off. */
  graphqlLimit: number
  /** How long everything is refused. */
  blockMs: number
  nextBuilds: Map<string, BuildPlan[]>
}

export type SteeringChange = Partial<Omit<Steering, 'nextBuilds'>>

export const usualSteering = (): Steering => ({
  stageMs: 1500,
  scopes: allScopes,
  tokenStatus: 'active',
  requestLimit: 1200,
  graphqlLimit: 300,
  blockMs: 300_000,
  nextBuilds: new Map(),
})

const numbers = ['stageMs', 'requestLimit', 'graphqlLimit', 'blockMs'] as const
const isNumber = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value) && value >= 0

/** Applies what is named, and says what of it cannot be. */
export function steer(steering: Steering, change: Record<string, unknown>): void {
  for (const [key, value] of Object.entries(change)) {
    if (numbers.includes(key as (typeof numbers)[number])) {
      if (!isNumber(value)) throw new Error(`'${key}' must be a number that is not negative`)
      steering[key as (typeof numbers)[number]] = value
    } else if (key === 'scopes') {
      if (!Array.isArray(value)) throw new Error("'scopes' must be a list")
      const unknown = value.filter((scope) => !(allScopes as readonly unknown[]).includes(scope))
      if (unknown.length > 0)
        throw new Error(`There is no scope ${String(unknown[0])}; there are: ${allScopes.join(', ')}`)
      steering.scopes = value as Scope[]
    } else if (key === 'tokenStatus') {
      if (value !== 'active' && value !== 'disabled' && value !== 'expired') throw new Error("'tokenStatus' is wrong")
      steering.tokenStatus = value
    } else throw new Error(`Cloudflare cannot be told '${key}'`)
  }
}
