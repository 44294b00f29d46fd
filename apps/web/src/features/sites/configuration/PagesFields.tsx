import * as sites from '@agency/contract/descriptors/sites'
import type { PagesProject } from '@agency/contract/types'
import { useQuery } from '@tanstack/react-query'
import { q } from '../../../lib/api.ts'
import type { ApiError } from '../../../lib/problems.ts'
import { useDenial } from '../../../lib/session.ts'
import { Button } from '../../../ui/Button.tsx'
import { InputField } from '../../../ui/InputField.tsx'
import { SelectField } from '../../../ui/SelectField.tsx'
import css from './configuration.module.css'
import type { SettingsDraft } from './settings-draft.ts'

type Props = {
  siteId: string
  draft: SettingsDraft
  problem: string | undefined
  disabled: boolean
  onChange: (change: Partial<SettingsDraft>) => void
}

export function PagesFields({ siteId, draft, problem, disabled, onChange }: Props) {
  const isDenied = useDenial(sites.listPagesProjects) !== undefined
  const list = useQuery({ ...q(sites.listPagesProjects, {}), enabled: !isDenied })
  const projects = list.data?.projects ?? []
  const chosen = projects.find(({ name }) => name === draft.project)
  const taken = chosen?.site && chosen.site.id !== siteId ? `${chosen.site.site_name} uses it already` : undefined
  return (
    <>
      <SelectField
        label="Pages project"
        value={draft.project}
        choices={[{ value: '', label: list.isLoading ? 'Loading' : 'Choose a project' }, ...projects.map(choiceOf)]}
        problem={problem}
        help={taken ?? (chosen ? domainsText(chosen) : undefined)}
        disabled={disabled}
        onChange={(project) => onChange({ project })}
      />
      <InputField
        label="Branch"
        value={draft.branch}
        help={`Optional: without one, ${chosen?.production_branch ?? "the project's production branch"}`}
        disabled={disabled}
        spellCheck={false}
        onChange={(branch) => onChange({ branch })}
      />
      {list.error ? <ProjectsFailure error={list.error as ApiError} onRetry={() => void list.refetch()} /> : null}
    </>
  )
}

const choiceOf = ({ name }: PagesProject) => ({ value: name, label: name })

const domainsText = ({ domains }: PagesProject): string =>
  domains.length === 0 ? 'No domain is attached to it' : `Serves ${domains.slice(0, 3).join(', ')}`

function ProjectsFailure({ error, onRetry }: { error: ApiError; onRetry: () => void }) {
  return (
    <p role="alert" className={css['failure']}>
      The projects could not be loaded: {error.message} What is chosen is kept.
      <Button size="small" onClick={onRetry}>
        Try again
      </Button>
    </p>
  )
}
