import * as sites from '@agency/contract/descriptors/sites'
import type { Site, SiteSettings } from '@agency/contract/types'
import { useWatch } from 'react-hook-form'
import { useEditForm } from '../../../lib/form/use-edit-form.ts'
import { useCall } from '../../../lib/use-call.ts'
import { Button } from '../../../ui/Button.tsx'
import { ErrorPanel } from '../../../ui/ErrorPanel.tsx'
import { SelectInput } from '../../../ui/form/SelectInput.tsx'
import { TextInput } from '../../../ui/form/TextInput.tsx'
import { ReasonedButton } from '../../../ui/ReasonedButton.tsx'
import { useToast } from '../../../ui/Toast.tsx'
import css from './configuration.module.css'
import { HookInputs } from './HookInputs.tsx'
import { PagesInputs } from './PagesInputs.tsx'
import {
  type SettingsFields,
  settingNames,
  settingsChanges,
  settingsFields,
  settingsProblems,
} from './settings-changes.ts'

type Props = { site: Pick<Site, 'id' | 'site_name'>; settings: SiteSettings }

const providers = [
  { value: 'none', label: 'Nothing' },
  { value: 'pages', label: 'Cloudflare Pages' },
  { value: 'hook', label: 'A deploy hook' },
]

/** A change by somebody else comes in below what was typed. */
export function SettingsSection({ site, settings }: Props) {
  const toast = useToast()
  const save = useCall(sites.updateSiteSettings, [sites.getSite, sites.listSites, sites.listPagesProjects])
  const { denial } = save
  const edited = useEditForm<SettingsFields>({
    values: settingsFields(settings),
    follows: true,
    problemsOf: (typed) => settingsProblems(typed, settings),
    call: save,
    fields: settingNames,
  })
  const form = { ...edited, isPending: edited.isPending || denial !== undefined }
  const fields = useWatch({ control: form.control }) as SettingsFields
  const handleSave = (typed: SettingsFields, before: SettingsFields) => {
    const changes = settingsChanges(typed, before)
    if (!changes) return
    save.mutate(
      { params: { id: site.id }, body: { version: settings.version, ...changes } },
      {
        onSuccess: () => {
          toast.success(`Saved the settings of ${site.site_name}`)
          edited.discard()
        },
      },
    )
  }
  return (
    <section>
      <h3 className={css['heading']}>Deployment</h3>
      {denial ? <p className={css['hint']}>{denial}</p> : null}
      <div className={css['fields']}>
        <SelectInput form={form} name="provider" label="Deployed by" choices={providers} />
        <TextInput
          form={form}
          name="healthPath"
          label="Health-check path"
          help="Path requested by the health check"
          spellCheck={false}
        />
        {fields.provider === 'pages' ? <PagesInputs form={form} siteId={site.id} /> : null}
        {fields.provider === 'hook' ? <HookInputs form={form} hook={settings.hook} /> : null}
      </div>
      {form.refusal ? (
        <ErrorPanel error={form.refusal}>
          {form.refusal.code === 'conflict'
            ? 'Someone else changed this site. Your changes are kept: review and save again.'
            : 'The settings were not saved. Your changes are kept.'}
        </ErrorPanel>
      ) : null}
      {settingsChanges(fields, form.before) ? (
        <div className={css['buttons']}>
          <span className={css['difference']} />
          <Button size="small" disabled={save.isPending} onClick={form.discard}>
            Discard
          </Button>
          <ReasonedButton
            size="small"
            variant="contained"
            blocked={denial}
            loading={save.isPending ? 'Saving' : false}
            onClick={() => edited.submit(handleSave)}
          >
            Save settings
          </ReasonedButton>
        </div>
      ) : null}
    </section>
  )
}
