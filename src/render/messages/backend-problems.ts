import type { Sentences } from './sentences.ts';

/** Why a state can't be read or changed where several machines keep it. */
export const backendProblems = {
  'state-branch': {
    busy: ({ branch }) => [
      `branch ${branch} was changed by others again and again`,
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
      `the object in bucket ${bucket} was changed by others again and again`,
      'run the command again',
    ],
    denied: ({ bucket, said }) => [
      `bucket ${bucket} refused the credentials: ${said}`,
      'allow s3:GetObject and s3:PutObject for this key, and s3:ListBucket for the bucket',
    ],
    foreign: ({ bucket }) => [
      `the object in bucket ${bucket} is no state of Trove, and was not changed`,
      'name another `state.key`',
    ],
    'no-address': ({ bucket }) => [
      `the address of bucket ${bucket} is no URL`,
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
      'there are no AWS credentials, or they have characters that no header takes',
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
    busy: ({ schema }) => [`schema ${schema} was changed by others again and again`, 'run the command again'],
    newer: ({ schema }) => [`schema ${schema} was made by a newer Trove`, 'update Trove'],
    'no-url': ({ variable }) => [
      `${variable} is not set, or is not the URL of a PostgreSQL database`,
      `set it to postgresql://USER:PASSWORD@HOST/DATABASE, without these in its query, or name another variable as \`state.urlFrom\``,
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
    busy: ({ origin }) => [
      `the state on ${origin} was changed by others again and again`,
      'run the command again',
    ],
    held: ({ origin, said }) => [
      `another program holds the lock of the state on ${origin}: ${said}`,
      "run the command again; if that program was killed, remove the lock with this ID with the server's own means",
    ],
    denied: ({ origin, said }) => [
      `${origin} refused the credentials: ${said}`,
      'set TF_HTTP_USERNAME and TF_HTTP_PASSWORD, or with `backend: gitlab` run Trove in a job that a Maintainer started',
    ],
    foreign: () => [
      'the address has a state that is not from Trove, and was not changed',
      'name an address of its own for each environment',
    ],
    insecure: ({ origin }) => [
      `the credentials would be sent to ${origin} unencrypted`,
      'use an https address; plain http is for this machine only',
    ],
    'no-address': ({ needs }) => ['the address of the state is unknown', `set ${needs}`],
    'no-lock': ({ origin, said }) => [
      `${origin} has no lock, so two runs could overwrite each other's IDs: ${said}`,
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
