import type { Setting, SettingGroup } from '@agency/contract/types'
import { Panel } from '../../ui/Panel.tsx'
import { ConnectionTester } from './ConnectionTester.tsx'
import { ImportLine } from './ImportLine.tsx'
import { SettingRow } from './SettingRow.tsx'
import css from './settings.module.css'
import { groupLabels, integrationOf } from './settings-words.ts'
import type { Form } from './use-draft.ts'

type Props = {
  group: SettingGroup
  settings: readonly Setting[]
  form: Form
  remark: string | undefined
  onHistory: (key: string) => void
}

export function GroupPanel({ group, settings, form, remark, onHistory }: Props) {
  const integration = integrationOf[group]
  const unsaved = Object.fromEntries(Object.entries(form.changes).filter(([key]) => key.startsWith(`${group}.`)))
  return (
    <Panel title={groupLabels[group]} flush>
      {remark ? <p className={css['remark']}>{remark}</p> : null}
      {settings.map((setting) => (
        <SettingRow key={setting.key} setting={setting} form={form} onHistory={() => onHistory(setting.key)} />
      ))}
      {group === 'stripe' ? <ImportLine /> : null}
      {integration ? (
        <ConnectionTester key={form.round} integration={integration} unsaved={unsaved} settings={settings} />
      ) : null}
    </Panel>
  )
}
