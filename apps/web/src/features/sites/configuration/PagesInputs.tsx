import * as sites from '@agency/contract/descriptors/sites'
import type { PagesProject } from '@agency/contract/types'
import { useQuery } from '@tanstack/react-query'
import { useWatch } from 'react-hook-form'
import { q } from '../../../lib/api.ts'
import type { EditForm } from '../../../lib/form/use-edit-form.ts'
import type { ApiError } from '../../../lib/problems.ts'
import { useDenial } from '../../../lib/session.ts'
import { Button } from '../../../ui/Button.tsx'
import { SelectInput } from '../../../ui/form/SelectInput.tsx'
import { TextInput } from '../../../ui/form/TextInput.tsx'
import css from './configuration.module.css'
import type { SettingsFields } from './settings-changes.ts'

type Props = { form: EditForm<SettingsFields>; siteId: string }

export function PagesInputs({ form, siteId }: Props) {
  const isDenied = useDenial(sites.listPagesProjects) !== undefined
  const list = useQuery({ ...q(sites.listPagesProjects, {}), enabled: !isDenied })
  const project = useWatch({ control: form.control, name: 'project' })
  const projects = list.data?.projects ?? []
  const chosen = projects.find(({ name }) => name === project)
  const taken = chosen?.site && chosen.site.id !== siteId ? `Already used by ${chosen.site.site_name}` : undefined
  return (
    <>
      <SelectInput
        form={form}
        name="project"
        label="Pages project"
        choices={[{ value: '', label: list.isLoading ? 'Loading' : 'Choose a project' }, ...projects.map(choiceOf)]}
        help={taken ?? (chosen ? domainsText(chosen) : undefined)}
      />
      <TextInput
        form={form}
        name="branch"
        label="Branch"
        help={`Optional: without one, ${chosen?.production_branch ?? "the project's production branch"}`}
        spellCheck={false}
      />
      {list.error ? <ProjectsFailure error={list.error as ApiError} onRetry={() => void list.refetch()} /> : null}
    </>
  )
}

const choiceOf = ({ name }: PagesProject) => ({ value: name, label: name })

const domainsText = ({ domains }: PagesProject): string =>
  domains.length === 0 ? 'No domain attached' : `Serves ${domains.slice(0, 3).join(', ')}`

function ProjectsFailure({ error, onRetry }: { error: ApiError; onRetry: () => void }) {
  return (
    <p role="alert" className={css['failure']}>
      The projects could not be loaded: {error.message} Your choice is kept.
      <Button size="small" onClick={onRetry}>
        Try again
      </Button>
    </p>
  )
}
