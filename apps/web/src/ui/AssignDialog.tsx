import { type EditForm, useEditForm } from '../lib/form/use-edit-form.ts'
import type { ApiError } from '../lib/problems.ts'
import { DetailsDialog } from './DetailsDialog.tsx'
import { EditFormDialog } from './form/EditFormDialog.tsx'
import { SelectInput } from './form/SelectInput.tsx'
import { SectionError } from './SectionError.tsx'
import { SkeletonLines } from './Skeleton.tsx'

type Person = { id: string; name: string; isMe: boolean }
type Fields = { person: string }

type Props = {
  title: string
  /** Who has it now. */
  current: { id: string; name: string } | null
  /** undefined until they are there. */
  people: readonly Person[] | undefined
  /** Why they are not there. */
  failure: Error | null
  onRetry: () => void
  call: { isPending: boolean; error: ApiError | null }
  onAssign: (person: { id: string; name: string } | null) => void
  onClose: () => void
}

/** Gives something to a person, or to nobody. */
export function AssignDialog(props: Props) {
  const { title, people, failure, onRetry, onClose } = props
  if (people) return <Loaded {...props} people={people} />
  return (
    <DetailsDialog title={title} onClose={onClose}>
      {failure ? <SectionError error={failure} onRetry={onRetry} /> : <SkeletonLines count={2} />}
    </DetailsDialog>
  )
}

function Loaded({ title, current, people, call, onAssign, onClose }: Props & { people: readonly Person[] }) {
  const form: EditForm<Fields> = useEditForm<Fields>({
    values: { person: current?.id ?? '' },
    call,
    fields: { assignee_id: 'person', user_id: 'person' },
  })
  // Somebody who has left may still have it.
  const known = current && !people.some(({ id }) => id === current.id) ? [{ ...current, isMe: false }] : []
  const everybody = [...people, ...known]
  const handleSubmit = ({ person }: Fields, before: Fields) => {
    if (person === before.person) return onClose()
    onAssign(everybody.find(({ id }) => id === person) ?? null)
  }
  return (
    <EditFormDialog title={title} submitLabel="Assign" form={form} onSubmit={handleSubmit} onClose={onClose}>
      <SelectInput
        form={form}
        name="person"
        label="Assignee"
        choices={[
          ...everybody.filter(({ isMe }) => isMe).map(({ id, name }) => ({ value: id, label: `${name} (me)` })),
          { value: '', label: 'Nobody' },
          ...everybody.filter(({ isMe }) => !isMe).map(({ id, name }) => ({ value: id, label: name })),
        ]}
      />
    </EditFormDialog>
  )
}
