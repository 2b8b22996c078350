import type { Sentences } from './sentences.ts';

/** Why a state can't be read or changed where several machines keep it. */
export const backendProblems = {
  'state-branch': {
    busy: ({ branch }) => [
      `other runs kept changing branch ${branch}`,
      'run the command again; if that repeats, give each environment a branch of its own',
    ],
    'default-branch': ({ remote, branch }) => [
      `${branch} is the default branch of ${remote}`,
      'name a branch that contains states only, for example trove-state-NAME',
    ],
    local: ({ branch, said }) => [
      `git failed on this machine, with branch ${branch}: ${said}`,
      'check the space and the permissions of the folder for temporary files, then run the command again',
    ],
    'no-git': () => ['git was not found, or is too old', 'install git 2.31 or later'],
    'no-remote': ({ remote }) => [
      `the catalog is not in a git repository with a remote named ${remote}`,
      'git remote -v lists the remotes; name one of them as `state.remote`',
    ],
    refused: ({ remote, branch, said }) => [
      `${remote} refused a push to branch ${branch}: ${said}`,
      'allow pushes and forced pushes to this branch for whoever runs Trove',
    ],
    'too-large': ({ branch }) => [
      `branch ${branch} has files that are larger than any state`,
      'name a branch that contains states only, for example trove-state-NAME',
    ],
    unreachable: ({ remote, branch, said }) => [
      `branch ${branch} of ${remote} can't be reached: ${said}`,
      `check the network and the credentials: git ls-remote ${remote}`,
    ],
  },
  'state-bucket': {
    busy: ({ bucket }) => [
      `other runs kept changing the object in bucket ${bucket}`,
      'run the command again',
    ],
    denied: ({ bucket, said }) => [
      `bucket ${bucket} refused the credentials: ${said}`,
      'allow s3:GetObject and s3:PutObject for this key, and s3:ListBucket for the bucket',
    ],
    foreign: ({ bucket }) => [
      `the object in bucket ${bucket} is not a Trove state; it was not changed`,
      'name another `state.key`',
    ],
    'no-address': ({ bucket }) => [
      `the address of bucket ${bucket} is not a URL`,
      'correct `state.endpoint` and `state.region`, or AWS_REGION',
    ],
    'no-bucket': ({ bucket }) => [
      `there is no bucket ${bucket}`,
      'create it, or correct `state.bucket`, `state.region` and `state.endpoint`',
    ],
    'no-conditions': ({ bucket }) => [
      `the store of bucket ${bucket} ignores conditions, so two runs could overwrite each other's IDs`,
      'use a store with conditional writes (If-Match, If-None-Match), or another backend',
    ],
    'no-keys': () => [
      'there are no AWS credentials, or they contain characters that HTTP headers do not allow',
      'set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY; for profiles, roles and SSO: npm install @aws-sdk/credential-providers',
    ],
    refused: ({ bucket, said }) => [
      `bucket ${bucket} refused a request: ${said}`,
      'check `state.region` and `state.key`',
    ],
    unreachable: ({ bucket, said }) => [
      `bucket ${bucket} can't be reached: ${said}`,
      'check the network, `state.region` and `state.endpoint`',
    ],
  },
  'state-database': {
    busy: ({ schema }) => [`other runs kept changing schema ${schema}`, 'run the command again'],
    newer: ({ schema }) => [`schema ${schema} was made by a newer Trove`, 'update Trove'],
    'no-url': ({ variable }) => [
      `${variable} is not set, or is not the URL of a PostgreSQL database`,
      `set it to postgresql://USER:PASSWORD@HOST/DATABASE, without a host, user or password in its query, or name another variable as \`state.urlFrom\``,
    ],
    refused: ({ schema, said }) => [
      `the database refused a change in schema ${schema}: ${said}`,
      `allow its user to create tables in schema ${schema}, which the first apply does, and to change them`,
    ],
    unreachable: ({ variable, said }) => [
      `the database in ${variable} can't be reached: ${said}`,
      `check the URL in ${variable}, the network and the credentials`,
    ],
  },
  'state-server': {
    busy: ({ origin }) => [`other runs kept changing the state on ${origin}`, 'run the command again'],
    held: ({ origin, said }) => [
      `another program holds the lock of the state on ${origin}: ${said}`,
      'run the command again; if that program was killed, remove this lock on the server',
    ],
    denied: ({ origin, said }) => [
      `${origin} refused the credentials: ${said}`,
      'set TF_HTTP_USERNAME and TF_HTTP_PASSWORD, or with `backend: gitlab` run Trove in a job that a Maintainer started',
    ],
    foreign: () => [
      'the address contains a state that Trove did not write; it was not changed',
      'use a separate address for each environment',
    ],
    insecure: ({ origin }) => [
      `the credentials would be sent to ${origin} unencrypted`,
      'use an https address; plain http is for this machine only',
    ],
    'no-address': ({ needs }) => ['the address of the state is unknown', `set ${needs}`],
    'no-lock': ({ origin, said }) => [
      `${origin} does not support locks, so two runs could overwrite each other's IDs: ${said}`,
      'set TF_HTTP_LOCK_ADDRESS and TF_HTTP_UNLOCK_ADDRESS, or use another backend',
    ],
    refused: ({ origin, said }) => [
      `${origin} refused a change: ${said}`,
      'check the log and the limits of the server',
    ],
    unreachable: ({ origin, said }) => [
      `${origin} can't be reached: ${said}`,
      'check the address and the network',
    ],
  },
} satisfies Sentences<'state-branch' | 'state-bucket' | 'state-database' | 'state-server'>;
