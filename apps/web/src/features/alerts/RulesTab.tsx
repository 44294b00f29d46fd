import * as alerts from '@agency/contract/descriptors/alerts'
import type { AlertRule } from '@agency/contract/types'
import { lazy } from 'react'
import { formatCount } from '../../lib/format.ts'
import { useListScreen } from '../../lib/list/use-list-screen.ts'
import { paths } from '../../lib/paths.ts'
import { useDenial } from '../../lib/session.ts'
import type { Action } from '../../ui/action.ts'
import { ListScreen } from '../../ui/list/ListScreen.tsx'
import { AlertsHeader } from './AlertsHeader.tsx'
import { rulesList } from './alerts-search.ts'
import { ruleColumns } from './rule-columns.tsx'
import { mutedUntil } from './rule-fields.ts'

const EditRuleDialog = lazy(() => import('./EditRuleDialog.tsx').then((m) => ({ default: m.EditRuleDialog })))

const nameOf = (rule: AlertRule) => rule.name
const noLink = () => undefined

export function RulesTab() {
  const screen = useListScreen(rulesList)
  const { rows, denial } = screen
  const editDenial = useDenial(alerts.updateAlertRule)
  const actionsOf = (rule: AlertRule & { id: string }): readonly Action[] => [
    editDenial ? { label: 'Edit rule', disabledReason: editDenial } : { label: 'Edit rule', href: screen.hrefOf(rule) },
    { label: 'View alerts', href: paths.alertsOfRule(rule.key) },
  ]
  return (
    <>
      <AlertsHeader tab="rules" summary={denial ? undefined : rows ? summaryOf(rows, Date.now()) : ''} />
      <ListScreen
        screen={screen}
        label="Alert rules"
        many="rules"
        columns={ruleColumns}
        nameOf={nameOf}
        hrefOf={editDenial ? noLink : screen.hrefOf}
        actionsOf={actionsOf}
        skeletonRows={12}
        withoutPager
        empty="No rules yet."
        details={({ id, onClose }) => (editDenial ? null : <EditRuleDialog ruleKey={id} onClose={onClose} />)}
      />
    </>
  )
}

/** `14 rules · 1 off · 2 muted` */
function summaryOf(rules: readonly AlertRule[], now: number): string {
  const off = rules.filter(({ is_enabled }) => !is_enabled).length
  const muted = rules.filter((rule) => mutedUntil(rule, now) !== null).length
  return [
    `${formatCount(rules.length)} ${rules.length === 1 ? 'rule' : 'rules'}`,
    off > 0 ? `${formatCount(off)} off` : undefined,
    muted > 0 ? `${formatCount(muted)} muted` : undefined,
  ]
    .filter(Boolean)
    .join(' · ')
}
