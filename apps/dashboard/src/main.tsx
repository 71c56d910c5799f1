import '@mantine/core/styles.css';
import '@mantine/notifications/styles.css';
import './dashboard.css';
import { MantineProvider } from '@mantine/core';
import { Notifications } from '@mantine/notifications';
import { QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { Router } from 'wouter';
import { Dashboard } from './frame/dashboard.js';
import { createQueryClient } from './frame/query-client.js';
import { cssVariables, theme } from './theme.js';

const place = document.getElementById('root');
if (!place) throw new Error('The document has no element with the id root.');

createRoot(place).render(
  <StrictMode>
    <MantineProvider theme={theme} defaultColorScheme="auto" cssVariablesResolver={cssVariables}>
      <Notifications position="top-right" />
      <QueryClientProvider client={createQueryClient()}>
        <Router base="/dashboard">
          <Dashboard />
        </Router>
      </QueryClientProvider>
    </MantineProvider>
  </StrictMode>,
);
