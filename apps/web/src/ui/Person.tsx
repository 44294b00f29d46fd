import css from './Person.module.css'

type Props = {
  name: string
  /** A second, muted line, such as the email. */
  detail?: string | null
}

/** Somebody as the provider names them: cut to one line, in full on hover, and unable to turn the text around it. */
export function Person({ name, detail }: Props) {
  return (
    <span className={css['person']}>
      <bdi className={css['name']} title={name}>
        {name}
      </bdi>
      {detail && detail !== name ? (
        <bdi className={css['detail']} title={detail}>
          {detail}
        </bdi>
      ) : null}
    </span>
  )
}
