import { lazy, Suspense } from 'react';
import { Route, Routes } from 'react-router';
import { Guard } from '../session/Guard';
import { Frame } from './Frame';
import { NotFound } from './NotFound';
import { Start } from './Start';
import { Waiting } from './Waiting';

// Each page is its own file, fetched when it is first opened.
const LoginPage = lazy(() => import('../session/LoginPage'));
const JobsPage = lazy(() => import('../jobs/JobsPage'));
const JobPage = lazy(() => import('../jobs/JobPage'));
const TasksPage = lazy(() => import('../tasks/TasksPage'));
const TaskPage = lazy(() => import('../tasks/TaskPage'));
const WorkersPage = lazy(() => import('../workers/WorkersPage'));
const ClusterPage = lazy(() => import('../cluster/ClusterPage'));

export function Pages() {
  return (
    <Routes>
      <Route path="/login" element={<Suspense fallback={<Waiting />}><LoginPage /></Suspense>} />
      <Route element={<Guard />}>
        <Route path="/" element={<Start />} />
        <Route path="/ns/:ns" element={<Frame />}>
          <Route path="jobs" element={<JobsPage />} />
          <Route path="jobs/:job" element={<JobPage />} />
          <Route path="tasks" element={<TasksPage />} />
          <Route path="tasks/:task" element={<TaskPage />} />
          <Route path="workers" element={<WorkersPage />} />
          <Route path="cluster" element={<ClusterPage />} />
          <Route path="*" element={<NotFound />} />
        </Route>
        <Route path="*" element={<NotFound />} />
      </Route>
    </Routes>
  );
}
