import * as endpoints from '@agency/contract/descriptors/settings'
import type { ConnectionTest, Setting, SettingValue } from '@agency/contract/types'
import { useId, useState } from 'react'
import { useCall } from '../../lib/use-call.ts'
import { Button } from '../../ui/Button.tsx'
import { DateTime } from '../../ui/DateTime.tsx'
import css from './settings.module.css'
import { connectionTones, type Integration, withLabels } from './settings-words.ts'

type Props = {
  integration: Integration
  /** What was typed and is not saved; the test takes it and saves nothing. */
  unsaved: Record<string, SettingValue>
  /** Of the same group. */
  settings: readonly Setting[]
}

export function ConnectionTester({ integration, unsaved, settings }: Props) {
  const test = useCall(endpoints.testConnection)
  const [sendTo, setSendTo] = useState('')
  const [tested, setTested] = useState<typeof unsaved>()
  const id = useId()
  const changedSince = test.data !== undefined && JSON.stringify(tested) !== JSON.stringify(unsaved)
  const address = sendTo.trim()
  const run = () =>
    test.mutate(
      { body: { integration, values: unsaved, ...(address && { send_to: address }) } },
      { onSuccess: () => setTested(unsaved) },
    )
  return (
    <div className={css['tester']}>
      {integration === 'smtp' ? (
        <>
          <label htmlFor={id}>Send a test mail to</label>
          <input
            id={id}
            type="email"
            className={css['control']}
            value={sendTo}
            placeholder="Optional"
            onChange={(event) => setSendTo(event.target.value)}
            onKeyDown={(event) => {
              if (event.key !== 'Enter') return
              // It stands in the form of the settings, which a test must never save.
              event.preventDefault()
              run()
            }}
          />
        </>
      ) : null}
      <Button size="small" variant="outlined" loading={test.isPending} onClick={run}>
        {Object.keys(unsaved).length > 0 ? 'Test unsaved values' : 'Test connection'}
      </Button>
      <div className={css['result']} role="status">
        {test.error ? `The test did not run. ${withLabels(test.error.message, settings)}` : null}
        {test.data && !test.error ? <Result result={test.data} changedSince={changedSince} /> : null}
      </div>
    </div>
  )
}

function Result({ result, changedSince }: { result: ConnectionTest; changedSince: boolean }) {
  const { state, message, tested_at } = result
  return (
    <>
      <span className={css['answer']} data-tone={connectionTones[state]}>
        <bdi>{message}</bdi>
      </span>
      <span className={css['muted']}>
        <DateTime at={tested_at} show="time" />
        {changedSince ? ', before the values were changed' : ''}
      </span>
    </>
  )
}
