import type { AlertRule } from '@agency/contract/types'
import { formatCount } from '../../lib/format.ts'
import { paths } from '../../lib/paths.ts'
import { useNow } from '../../lib/use-now.ts'
import { DateTime } from '../../ui/DateTime.tsx'
import type { Column } from '../../ui/data-table/columns.ts'
import { Person } from '../../ui/Person.tsx'
import { SeverityChip } from './AlertChips.tsx'
import css from './alerts.module.css'
import { RuleSwitch } from './RuleSwitch.tsx'
import { mutedUntil, withUnit } from './rule-fields.ts'

export const ruleColumns: readonly Column<AlertRule>[] = [
  {
    id: 'rule',
    header: 'Rule',
    share: '100%',
    cell: ({ name, description }) => <Person name={name} detail={description} />,
  },
  { id: 'severity', header: 'Severity', onCard: true, cell: ({ severity }) => <SeverityChip severity={severity} /> },
  { id: 'threshold', header: 'Threshold', align: 'right', onCard: true, cell: (rule) => <ThresholdText rule={rule} /> },
  { id: 'enabled', header: 'Enabled', onCard: true, cell: (rule) => <RuleSwitch rule={rule} /> },
  { id: 'muted', header: 'Muted until', align: 'right', cell: (rule) => <Muted rule={rule} /> },
  {
    id: 'active',
    header: 'Active alerts',
    align: 'right',
    cell: ({ key, active_alerts: active }) =>
      active === 0 ? (
        <span className={css['muted']}>0</span>
      ) : (
        <a href={paths.alertsOfRule(key)}>{formatCount(active)}</a>
      ),
  },
]

function ThresholdText({ rule: { threshold } }: { rule: AlertRule }) {
  if (threshold === null) return null
  const { value, default: initial, unit } = threshold
  return (
    <span className={css['number']} title={value === initial ? undefined : `Default: ${withUnit(initial, unit)}`}>
      {withUnit(value, unit)}
    </span>
  )
}

function Muted({ rule }: { rule: AlertRule }) {
  const until = mutedUntil(rule, useNow())
  return until === null ? null : <DateTime at={until} show="date-time" />
}
