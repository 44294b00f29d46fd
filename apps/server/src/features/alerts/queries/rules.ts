import type { AlertSeverity } from '@agency/contract/monitoring'
import { sql } from 'kysely'
import type { AppContext, TransactionContext } from '../../../context.ts'
import { noticeRules } from '../../notifications/index.ts'
import { type Rule, type RuleDefinition, ruleDefinitions } from '../rules.ts'

type Db = Pick<AppContext, 'db'>
type Changed = {
  key: string
  is_enabled: boolean
  severity: AlertSeverity
  threshold: number | null
  muted_until: Date | null
  version: number
}

const inForce = (definition: RuleDefinition, changed: Changed | undefined): Rule => ({
  ...definition,
  isEnabled: changed?.is_enabled ?? true,
  inForce: changed?.severity ?? definition.severity,
  value: definition.threshold === null ? null : (changed?.threshold ?? definition.threshold.default),
  mutedUntil: changed?.muted_until ?? null,
  version: changed?.version ?? 0,
})

const definitions: readonly RuleDefinition[] = [
  ...ruleDefinitions,
  ...noticeRules.map((rule) => ({ ...rule, threshold: null })),
]

/** All rules as they are in force, in the order in which they are defined. */
export async function findRules({ db }: Db): Promise<Rule[]> {
  const { rows } = await sql<Changed>`
    select key, is_enabled, severity, threshold, muted_until, version from alert_rules`.execute(db)
  const changed = new Map(rows.map((row) => [row.key, row]))
  return definitions.map((definition) => inForce(definition, changed.get(definition.key)))
}

/** Answers false when somebody changed it meanwhile. */
export async function saveRule({ db, clock }: TransactionContext, rule: Rule): Promise<boolean> {
  const { rows } = await sql`
    insert into alert_rules as r (key, is_enabled, severity, threshold, muted_until, version, updated_at)
    values (${rule.key}, ${rule.isEnabled}, ${rule.inForce}, ${rule.value}, ${rule.mutedUntil}, 1, ${new Date(clock())})
    on conflict (key) do update set is_enabled = excluded.is_enabled, severity = excluded.severity,
      threshold = excluded.threshold, muted_until = excluded.muted_until, version = r.version + 1,
      updated_at = excluded.updated_at
    where r.version = ${rule.version}
    returning 1`.execute(db)
  // The first change of a rule is made to version 0.
  return rows.length > 0
}

export async function countActiveByRule({ db }: Db): Promise<Map<string, number>> {
  const { rows } = await sql<{ rule: string; alerts: number }>`
    select rule, count(*) as alerts from alerts where status <> 'resolved' group by rule`.execute(db)
  return new Map(rows.map(({ rule, alerts }) => [rule, alerts]))
}
