import * as sites from '@agency/contract/descriptors/sites'
import type { Site, SiteSettings } from '@agency/contract/types'
import { useState } from 'react'
import { useCall } from '../../../lib/use-call.ts'
import { Button } from '../../../ui/Button.tsx'
import { ErrorPanel } from '../../../ui/ErrorPanel.tsx'
import { InputField } from '../../../ui/InputField.tsx'
import { ReasonedButton } from '../../../ui/ReasonedButton.tsx'
import { useToast } from '../../../ui/Toast.tsx'
import { SelectField } from '../../../ui/SelectField.tsx'
import css from './configuration.module.css'
import { HookFields } from './HookFields.tsx'
import { PagesFields } from './PagesFields.tsx'
import {
  refusedSetting,
  type SettingsDraft,
  settingsChanges,
  settingsDraft,
  settingsProblems,
} from './settings-draft.ts'

type Props = { site: Pick<Site, 'id' | 'site_name'>; settings: SiteSettings }

const providers = [
  { value: 'none', label: 'Nothing' },
  { value: 'pages', label: 'Cloudflare Pages' },
  { value: 'hook', label: 'A deploy hook' },
]

/** What is typed is kept as the difference to the newest settings, so that a change by somebody else comes in below it. */
export function SettingsSection({ site, settings }: Props) {
  const [typed, setTyped] = useState<Partial<SettingsDraft>>({})
  const [tried, setTried] = useState(false)
  const toast = useToast()
  const save = useCall(sites.updateSiteSettings, [sites.getSite, sites.listSites, sites.listPagesProjects])
  const { denial } = save
  const before = settingsDraft(settings)
  const draft = { ...before, ...typed }
  const changes = settingsChanges(draft, before)
  const missing = settingsProblems(draft, settings)
  const refused = refusedSetting(save.error)
  const problems = { ...refused, ...(tried ? missing : {}) }
  const disabled = denial !== undefined || save.isPending
  const change = (part: Partial<SettingsDraft>) => setTyped((now) => ({ ...now, ...part }))
  const discard = () => {
    setTyped({})
    setTried(false)
    save.reset()
  }
  const handleSave = () => {
    setTried(true)
    if (!changes || Object.keys(missing).length > 0) return
    save.mutate(
      { params: { id: site.id }, body: { version: settings.version, ...changes } },
      {
        onSuccess: () => {
          toast.success(`Saved the settings of ${site.site_name}`)
          discard()
        },
      },
    )
  }
  return (
    <section>
      <h3 className={css['heading']}>Deployment and checks</h3>
      {denial ? <p className={css['hint']}>{denial}</p> : null}
      <div className={css['fields']}>
        <SelectField
          label="Deployed by"
          value={draft.provider}
          choices={providers}
          disabled={disabled}
          onChange={(provider) => change({ provider: provider as SettingsDraft['provider'] })}
        />
        <InputField
          label="Health-check path"
          value={draft.healthPath}
          problem={problems.healthPath}
          help="What is asked of the site to see whether it is well"
          disabled={disabled}
          spellCheck={false}
          onChange={(healthPath) => change({ healthPath })}
        />
        {draft.provider === 'pages' ? (
          <PagesFields
            siteId={site.id}
            draft={draft}
            problem={problems.project}
            disabled={disabled}
            onChange={change}
          />
        ) : null}
        {draft.provider === 'hook' ? (
          <HookFields draft={draft} hook={settings.hook} problems={problems} disabled={disabled} onChange={change} />
        ) : null}
      </div>
      {save.error && Object.keys(refused).length === 0 ? (
        <ErrorPanel error={save.error}>
          {save.error.code === 'conflict'
            ? 'Somebody has changed this site meanwhile. What you typed is kept: look at it again and save.'
            : 'The settings were not saved. What you typed is kept.'}
        </ErrorPanel>
      ) : null}
      {changes ? (
        <div className={css['buttons']}>
          <span className={css['difference']} />
          <Button size="small" disabled={save.isPending} onClick={discard}>
            Discard
          </Button>
          <ReasonedButton
            size="small"
            variant="contained"
            blocked={denial}
            loading={save.isPending ? 'Saving' : false}
            onClick={handleSave}
          >
            Save settings
          </ReasonedButton>
        </div>
      ) : null}
    </section>
  )
}
