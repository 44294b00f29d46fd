// What a query may be made of. Everything else is refused, whatever a later version of PostgreSQL adds.

const words = (text: string): readonly string[] => text.trim().split(/\s+/)

/** None of these writes, waits, reaches outside the query, tells of the server, or makes much out of little. */
export const allowedFunctions: readonly string[] = words(`
  abs avg age array_agg array_append array_cat array_length array_lower array_position array_positions array_prepend
  array_remove array_replace array_to_json array_to_string array_upper bit_and bit_or bit_xor bool_and bool_or btrim
  cardinality cbrt ceil ceiling char_length character_length chr ascii concat concat_ws corr count covar_pop covar_samp
  cume_dist date_bin date_part date_trunc degrees dense_rank div every exp extract first_value floor gcd gen_random_uuid generate_series
  initcap isfinite json_agg json_array_elements json_array_elements_text json_array_length json_build_array
  json_build_object json_each json_each_text json_extract_path json_extract_path_text json_object_agg json_object_keys
  json_strip_nulls json_typeof jsonb_agg jsonb_array_elements jsonb_array_elements_text jsonb_array_length
  jsonb_build_array jsonb_build_object jsonb_each jsonb_each_text jsonb_extract_path jsonb_extract_path_text
  jsonb_object_agg jsonb_object_keys jsonb_pretty jsonb_strip_nulls jsonb_typeof justify_days justify_hours
  justify_interval lag last_value lcm lead left length like_escape ln log log10 lower ltrim make_date make_interval
  make_time make_timestamp make_timestamptz max md5 min mod mode normalize now nth_value ntile num_nonnulls num_nulls
  octet_length overlaps overlay percent_rank percentile_cont percentile_disc pi position power rank regexp_count
  regexp_instr regexp_like regexp_match regexp_matches regexp_replace regexp_split_to_array regexp_split_to_table
  regexp_substr regr_avgx regr_avgy regr_count regr_intercept regr_r2 regr_slope regr_sxx regr_sxy regr_syy replace
  reverse right round round_half_even row_number row_to_json rtrim scale sign similar_to_escape split_part sqrt starts_with stddev
  stddev_pop stddev_samp string_agg string_to_array string_to_table strpos substr substring sum timezone to_char
  to_date to_json to_jsonb to_number to_timestamp translate trim trim_scale trunc unnest upper var_pop var_samp
  variance width_bucket
`)

/** Of these a value may be made by a cast. */
export const allowedTypes: readonly string[] = words(`
  bool boolean int2 int4 int8 smallint integer int bigint numeric decimal float4 float8 real text varchar bpchar char
  date time timetz timestamp timestamptz interval json jsonb uuid
`)

export const allowedOperators: readonly string[] = words(`
  + - * / % ^ |/ ||/ @ & | # ~ << >> = <> != < > <= >= || ~~ !~~ ~~* !~~* ~* !~ !~* ^@ -> ->> #> #>> @> <@ ? ?| ?& &&
`)

/** The moment of the query. Who asks it, and of which database, is nobody's column. */
export const allowedMoments: readonly string[] = words(`
  SVFOP_CURRENT_DATE SVFOP_CURRENT_TIME SVFOP_CURRENT_TIME_N SVFOP_CURRENT_TIMESTAMP SVFOP_CURRENT_TIMESTAMP_N
  SVFOP_LOCALTIME SVFOP_LOCALTIME_N SVFOP_LOCALTIMESTAMP SVFOP_LOCALTIMESTAMP_N
`)
