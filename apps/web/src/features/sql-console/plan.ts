/** A step of a plan, as EXPLAIN (FORMAT JSON) writes it. */
type Step = {
  'Node Type': string
  'Relation Name'?: string
  'Index Name'?: string
  'Join Type'?: string
  'CTE Name'?: string
  'Function Name'?: string
  'Total Cost'?: number
  'Plan Rows'?: number
  'Actual Rows'?: number
  'Actual Loops'?: number
  'Actual Total Time'?: number
  'Rows Removed by Filter'?: number
  Plans?: Step[]
} & Record<string, unknown>

export type PlanNode = {
  key: string
  title: string
  /** Conditions and the like. */
  notes: string[]
  rows: number
  /** What was expected, where it was run and is far off. */
  expectedRows: number | null
  /** Milliseconds of all loops with those below; null where it was not run. */
  ms: number | null
  /** Its own part of the whole, without those below, in percent. */
  share: number
  children: PlanNode[]
}

const noted = [
  'Index Cond',
  'Hash Cond',
  'Merge Cond',
  'Join Filter',
  'Filter',
  'Sort Key',
  'Group Key',
  'Recheck Cond',
]
/** So many times more or less rows than expected are worth telling. */
const farOff = 10

/** The tree of a plan, or null where there is none. */
export function planTree(plan: Readonly<Record<string, unknown>>): PlanNode | null {
  const root = plan['Plan'] as Step | undefined
  if (!root) return null
  const whole = Math.max(measureOf(root), Number.MIN_VALUE)
  return nodeOf(root, whole, '0')
}

const timeOf = (step: Step): number | null =>
  step['Actual Total Time'] === undefined ? null : step['Actual Total Time'] * (step['Actual Loops'] ?? 1)
const measureOf = (step: Step): number => timeOf(step) ?? step['Total Cost'] ?? 0

function nodeOf(step: Step, whole: number, key: string): PlanNode {
  const below = step.Plans ?? []
  const own = Math.max(0, measureOf(step) - below.reduce((sum, one) => sum + measureOf(one), 0))
  const expected = step['Plan Rows'] ?? 0
  const actual = step['Actual Rows']
  return {
    key,
    title: titleOf(step),
    notes: notesOf(step),
    rows: Math.round(actual === undefined ? expected : actual * (step['Actual Loops'] ?? 1)),
    expectedRows: actual !== undefined && isFarOff(expected, actual) ? expected : null,
    ms: timeOf(step),
    share: (own / whole) * 100,
    children: below.map((one, index) => nodeOf(one, whole, `${key}.${index}`)),
  }
}

const isFarOff = (expected: number, actual: number): boolean =>
  Math.max(expected, 1) / Math.max(actual, 1) >= farOff || Math.max(actual, 1) / Math.max(expected, 1) >= farOff

function titleOf(step: Step): string {
  const of = step['Relation Name'] ?? step['CTE Name'] ?? step['Function Name']
  const join = step['Join Type'] && step['Join Type'] !== 'Inner' ? ` (${step['Join Type'].toLowerCase()})` : ''
  const index = step['Index Name'] ? ` by ${step['Index Name']}` : ''
  return `${step['Node Type']}${join}${of ? ` on ${of}` : ''}${index}`
}

function notesOf(step: Step): string[] {
  const conditions = noted.flatMap((name) => {
    const held = step[name]
    return held === undefined ? [] : [`${name}: ${Array.isArray(held) ? held.join(', ') : String(held)}`]
  })
  const removed = step['Rows Removed by Filter']
  return removed ? [...conditions, `Rows removed by filter: ${removed}`] : conditions
}
