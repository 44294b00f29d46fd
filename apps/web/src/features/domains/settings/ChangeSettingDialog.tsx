import * as zoneSettings from '@agency/contract/descriptors/zone-settings'
import type { ZoneSetting } from '@agency/contract/types'
import { useState } from 'react'
import { useCall } from '../../../lib/use-call.ts'
import { ConfirmDialog } from '../../../ui/ConfirmDialog.tsx'
import { SelectField } from '../../../ui/SelectField.tsx'
import { changedReads, type Done } from '../LastChange.tsx'
import { actText, effectsOf, isRisky, otherValues, type Sites, settingLabel, valueLabel } from './setting-words.ts'

type Props = {
  zoneId: string
  /** As the tab shows it now: what is changed must still be that. */
  setting: ZoneSetting & { value: string }
  sites: Sites
  /** Somebody was faster: the settings are read again. */
  onConflict: () => void
  onDone: Done
  onClose: () => void
}

export function ChangeSettingDialog({ zoneId, setting: { name, value: shown }, sites, ...rest }: Props) {
  const values = otherValues(name, shown)
  const [chosen, setChosen] = useState('')
  const value = values.includes(chosen) ? chosen : (values.at(-1) ?? '')
  const change = useCall(zoneSettings.changeZoneSetting, changedReads)
  const label = settingLabel(name)
  return (
    <ConfirmDialog
      title={values.length === 1 ? actText(name, value) : `Change ${label}`}
      consequences={effectsOf(name, value, sites)}
      fieldsFirst
      confirmLabel={actText(name, value)}
      destructive={isRisky(name, value)}
      pending={change.isPending}
      error={change.error}
      onConfirm={() =>
        change.mutate(
          { params: { id: zoneId }, body: { name, shown, value } },
          {
            onSuccess: (answer) => {
              rest.onDone(`${label} is ${valueLabel(name, value)}`, answer)
              rest.onClose()
            },
            onError: ({ status }) => {
              if (status === 409) rest.onConflict()
            },
          },
        )
      }
      onClose={rest.onClose}
    >
      {values.length > 1 ? (
        <SelectField
          label={label}
          value={value}
          choices={values.map((each) => ({ value: each, label: valueLabel(name, each) }))}
          help={`Now it is ${valueLabel(name, shown)}`}
          disabled={change.isPending}
          onChange={(next) => {
            setChosen(next)
            change.reset()
          }}
        />
      ) : null}
    </ConfirmDialog>
  )
}
