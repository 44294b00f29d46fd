import * as alerts from '@agency/contract/descriptors/alerts'
import type { AlertRule } from '@agency/contract/types'
import { useCall } from '../../lib/use-call.ts'
import { Switch } from '../../ui/Switch.tsx'
import css from './alerts.module.css'
import { ruleReads } from './alerts-search.ts'

/** Switches a rule without its dialog. */
export function RuleSwitch({ rule: { key, name, version, is_enabled } }: { rule: AlertRule }) {
  const update = useCall(alerts.updateAlertRule, ruleReads)
  const handleChange = (on: boolean) =>
    update.mutate(
      { params: { key }, body: { version, is_enabled: on } },
      {
        success: `Switched ${on ? 'on' : 'off'}: ${name}`,
        failure: `Not changed: ${name}`,
      },
    )
  return (
    <span className={css['switchCell']}>
      <Switch
        checked={is_enabled}
        label={`${name} enabled`}
        disabled={update.isPending}
        blocked={update.denial}
        onChange={handleChange}
      />
    </span>
  )
}
